import assert from 'node:assert/strict';
import { readRequest, readSites, readTtl } from '../../../src/runtime/sites/remote-message';

/** What is wrong with what a message says. */
function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error);
    return error.message;
  }
  return 'nothing';
}

describe('the sites of a message', () => {
  const sites = (site: unknown) => readSites({ knownSites: 'north' }, { site } as never, ['south']);

  it('are each there once', () => {
    assert.deepEqual(sites(['*', 'north', '*']), ['north', 'south']);
    assert.deepEqual(sites(' north, 7 '), ['north', '7']);
    assert.deepEqual(sites([7]), ['7']);
  });

  it('are refused where they are no names, or too many', () => {
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    const scream = () => {
      throw new Error('no text of this');
    };
    const wrong = [
      sparse,
      new Array(1_000_000).fill('north'),
      'a,'.repeat(10_001),
      [['north']],
      [{ toString: scream }],
      { toString: scream },
      Symbol('north'),
      () => 'north',
      new Proxy({}, { get: scream, getPrototypeOf: scream }),
    ];
    for (const value of wrong) {
      const words = refused(() => sites(value));
      assert.match(words, /msg\.site must be a name or a list of at most 10000 names: remote; got /);
      assert.ok(words.length < 300);
    }
  });

  it('have a time that is refused in words, whatever it is', () => {
    const noText = Object.assign(() => {}, { toString: () => ({}) });
    for (const ttl of [noText, Symbol('\u0000'), 1n, '\u0085'.repeat(1_000_000)]) {
      const words = refused(() => readTtl({}, { ttl } as never));
      assert.match(words, /msg\.ttl /);
      assert.doesNotMatch(words, /\p{Cc}/u);
    }
  });
});

describe('the person who asks the sites', () => {
  const commandOf = async (job: object, message: object) =>
    (await readRequest({} as never, {} as never, { job }, message as never)).command;

  for (const action of ['start', 'clear']) {
    it(`is in the command of a ${action}, unless it is no name`, async () => {
      const job = { alert: 'Lockdown', action };
      assert.deepEqual(await commandOf(job, { by: 'Ms Lee' }), { ...job, by: 'Ms Lee' });
      for (const by of ['', 'x'.repeat(201), { name: 'Ms Lee' }, 7])
        assert.deepEqual(await commandOf(job, { by }), job);
    });
  }
});

describe('an acknowledgement from afar', () => {
  const job = { alert: 'Lockdown', action: 'acknowledge' };
  const read = (message: object) => readRequest({} as never, {} as never, { job }, message as never);

  it('has the person and the answer, and may be done twice', async () => {
    const { command, isIdempotent } = await read({ by: 'Ms Lee', answer: 'safe', drill: 'odd' });
    assert.deepEqual([command, isIdempotent], [{ ...job, by: 'Ms Lee', answer: 'safe' }, true]);
    assert.deepEqual((await read({ by: 'Ms Lee' })).command, { ...job, by: 'Ms Lee' });
  });

  it('is refused without a person, or with an answer that is no text of at most 200 characters', async () => {
    for (const by of [undefined, '', 'x'.repeat(201), 7, {}])
      await assert.rejects(read({ by }), {
        code: 'INVALID_PARAMETER',
        message: /^msg\.by is required to acknowledge an alert/,
      });
    for (const answer of ['x'.repeat(201), 7, null, {}])
      await assert.rejects(read({ by: 'Ms Lee', answer }), {
        code: 'INVALID_PARAMETER',
        message: /^msg\.answer must be text of at most 200 characters/,
      });
  });

  it('is one of the three things that a job does to an alert', async () => {
    const odd = { alert: 'Lockdown', action: 'report' };
    await assert.rejects(readRequest({} as never, {} as never, { job: odd }, {} as never), {
      message: /job\.action must be one of start, clear, acknowledge/,
    });
  });
});

describe('an alert from afar', () => {
  for (const [action, expected] of [
    ['start', undefined],
    ['clear', true],
  ] as const) {
    it(`may be done twice where it is a ${action}: ${expected ?? 'only the site knows'}`, async () => {
      const job = { alert: 'Lockdown', action };
      const { isIdempotent } = await readRequest({} as never, {} as never, { job }, {} as never);
      assert.equal(isIdempotent, expected);
    });
  }
});
