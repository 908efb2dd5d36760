import assert from 'node:assert/strict';
import { errorIn } from '../../src/runtime/alert/alert-node';
import { OutputState } from '../../src/runtime/alert/output-state';
import { resultOf } from '../../src/runtime/alert/send';
import { isFine, type Receipt } from '../../src/runtime/message/receipt';

type Code = NonNullable<Receipt['error']>['code'];
const receipt = (outcome: Receipt['outcome'], code?: Code, statusCode?: number): Receipt => ({
  ...{ device: 'Wall', address: 'http://wall', operation: 'strobe/start', attempts: 1, latencyMs: 1 },
  ...{ outcome, at: '2026-01-01T00:00:00.000Z' },
  ...(code && { error: { code, reason: code, message: code } }),
  ...(statusCode && { statusCode }),
});
const output = (isDryRun: boolean) => new OutputState('key', { id: 'd', name: 'D' }, 'strobe', isDryRun);

describe('what a receipt means for an alert', () => {
  for (const [kind, made, result] of [
    ['start', receipt('accepted'), 'taken'],
    ['start', receipt('confirmed'), 'taken'],
    ['start', receipt('unknown', 'TIMEOUT'), 'unknown'],
    ['return', receipt('unknown', 'PROTOCOL', 500), 'unknown'],
    ['return', receipt('failed', 'REFUSED', 400), 'refused'],
    ['return', receipt('failed', 'REFUSED', 503), 'missed'],
    ['return', receipt('skipped', 'NOT_SUPPORTED'), 'skipped'],
    ['start', receipt('skipped', 'NOT_SUPPORTED'), 'skipped'],
    ['again', receipt('skipped', 'NOT_SUPPORTED'), 'skipped'],
    ['start', receipt('superseded', 'SUPERSEDED'), 'skipped'],
    ['start', receipt('failed', 'NOT_CONFIGURED'), 'impossible'],
    ['again', receipt('failed', 'NOT_CONFIGURED'), 'missed'],
    ['start', receipt('failed', 'INVALID_PARAMETER'), 'impossible'],
    ['start', receipt('failed', 'NOT_SUPPORTED'), 'impossible'],
    ['start', receipt('failed', 'REFUSED', 403), 'refused'],
    ['start', receipt('expired', 'EXPIRED'), 'missed'],
    ['start', receipt('failed', 'ABORTED'), 'missed'],
    ['return', receipt('failed', 'INVALID_PARAMETER'), 'impossible'],
    ['return', receipt('failed', 'UNREACHABLE'), 'missed'],
    ['return', receipt('failed', 'AUTHENTICATION', 401), 'missed'],
    ['return', receipt('failed', 'NOT_CONFIGURED'), 'missed'],
    ['return', receipt('failed', 'ABORTED'), 'missed'],
    ['return', receipt('expired', 'EXPIRED'), 'missed'],
    ['return', receipt('superseded', 'SUPERSEDED'), 'skipped'],
    ['end', receipt('accepted'), 'taken'],
    ['end', receipt('skipped', 'NOT_SUPPORTED'), 'taken'],
    ['end', receipt('unknown', 'TIMEOUT'), 'missed'],
    ['end', receipt('failed', 'REFUSED', 400), 'missed'],
    ['end', receipt('failed', 'UNREACHABLE'), 'missed'],
    // A dry run has not ended what was started in earnest.
    ['end', receipt('dry-run'), 'missed'],
  ] as const) {
    it(`of a ${kind} that is ${made.outcome} ${made.error?.code ?? ''} ${made.statusCode ?? ''}: ${result}`, () => {
      assert.equal(resultOf(made, { kind, output: output(false) }), result);
    });
  }

  it('takes the outcome of a dry run at a device on dry run', () => {
    for (const kind of ['start', 'end'] as const) {
      assert.equal(resultOf(receipt('dry-run'), { kind, output: output(true) }), 'taken');
    }
  });

  const held = receipt('skipped');
  const unsupported = receipt('skipped', 'NOT_SUPPORTED');
  for (const [what, receipts, code, goesOn] of [
    ['all are held back', [held, held], undefined, true],
    ['some are held back and the others have nothing for it', [held, unsupported], undefined, true],
    ['nobody has anything for it', [unsupported, unsupported], 'NOT_SUPPORTED', false],
    ['some have nothing for it', [unsupported, receipt('accepted')], undefined, true],
    ['one is held back and one fails', [held, receipt('failed', 'REFUSED', 400)], 'REFUSED', true],
    [
      'one fails and the other has nothing for it',
      [receipt('failed', 'TIMEOUT'), unsupported],
      'TIMEOUT',
      false,
    ],
  ] as const) {
    it(`${code ? `is ${code}` : 'is no error'} where ${what}`, () => {
      assert.equal(errorIn(receipts)?.code, code);
      assert.equal(receipts.some(isFine), goesOn);
    });
  }

  it('counts devices, whatever the number of their actions', () => {
    const at = (device: string, made: Receipt) => ({ ...made, device });
    const lost = receipt('unknown', 'TIMEOUT');
    const off = receipt('failed', 'UNREACHABLE');
    const words = (receipts: readonly Receipt[]) => errorIn(receipts)?.message;
    const fine = [at('A', receipt('accepted')), at('B', held)];
    assert.equal(
      words([...fine, at('C', off), at('C', off), at('D', lost), at('E', lost)]),
      'UNREACHABLE (1 of 5 devices failed, 2 unknown: see msg.receipts)',
    );
    assert.equal(words([...fine, at('C', lost)]), 'TIMEOUT (1 of 3 devices unknown: see msg.receipts)');
    assert.equal(
      words([at('A', unsupported), at('B', unsupported)]),
      'NOT_SUPPORTED (2 of 2 devices skipped: see msg.receipts)',
    );
    assert.equal(words([at('A', off), at('A', off)])?.startsWith('UNREACHABLE'), true);
  });
});
