import assert from 'node:assert/strict';
import type { Course, History, Receipt, Target } from '../../bench/soak/history';
import { judge } from '../../bench/soak/model';
import { course, device, failed, history, name, rules, tone, unlock } from './histories';

const code = (outcome: string, of: string, attempts = 0): Partial<Receipt> => ({
  ...failed(of, attempts),
  outcome,
});
const expired = code('expired', 'EXPIRED');
const message = (id: number, node: string, spec: string, targets: readonly Target[], ttl?: number) => ({
  message: { id, node, spec, targets, ...(ttl !== undefined && { ttl }) },
});
const here = [{ name, device }];
const away = { device, at: 900, until: 20_000 };
const dryRun = message(1, 'tone', 'tone/start', [{ name, device, dryRun: true }]);

/** A message to two devices, of which the second refuses. */
function split(...out: NonNullable<Course['split']>): Partial<History> {
  const other = { name: 'Device 004', device: 4 };
  const [good, bad] = ['accepted', 'failed'].map((outcome, index) => ({
    device: index === 0 ? name : other.name,
    operation: 'tone/start',
    outcome,
    attempts: 1,
    ...(index === 1 && { error: { code: 'REFUSED', message: 'no' } }),
  })) as [Receipt, Receipt];
  return {
    courses: [
      course(1, {
        spec: 'tone/start',
        course: {
          ...message(1, 'split-tone', 'tone/start', [...here, other]),
          ends: [{ at: 1100, failed: true, code: 'REFUSED' }],
          out: out.length,
          completed: 0,
          caught: 1,
          receipts: [good, bad],
          split: out,
        },
      }),
    ],
    requests: [
      tone(1, 1050),
      { ...tone(1, 1050, { taken: false, verdict: 'no', code: 'REFUSED' }), device: 4 },
    ],
  };
}

describe('the soak finds nothing wrong with a delivery', () => {
  const sound: Record<string, Partial<History>> = {
    'that came too late': {
      courses: [course(1, { spec: 'tone/start', node: 'brief-tone', endAt: 1320, receipt: expired })],
    },
    'that was in time by the message, though not by the node': {
      courses: [
        course(1, {
          spec: 'tone/start',
          endAt: 3000,
          course: message(1, 'brief-tone', 'tone/start', here, 2),
        }),
      ],
      requests: [tone(1, 2800)],
    },
    'that was tried for as long as it is to be': {
      courses: [course(1, { spec: 'door/lock local', endAt: 10_500, receipt: failed('UNREACHABLE', 0) })],
      losses: [away],
    },
    'of a dry run': {
      courses: [
        course(1, {
          spec: 'tone/start',
          receipt: { outcome: 'dry-run', attempts: 0 },
          course: { ...dryRun, out: 1, completed: 1, caught: 0, ends: [{ at: 1100, failed: false }] },
        }),
      ],
    },
    'that is split': split({ index: 0, count: 2, devices: [name] }),
    'that is refused where enough wait': {
      courses: [
        course(1, { spec: 'door/unlock local', endAt: 5000 }),
        course(2, { spec: 'tone/start', sentAt: 2000, receipt: failed('QUEUE_FULL', 0) }),
      ],
      requests: [unlock(1050)],
      bounds: { [device]: 1 },
    },
    'to a device whose certificate was another for a while': {
      courses: [course(1, { spec: 'tone/start', receipt: failed('TLS_UNTRUSTED', 0) })],
      losses: [{ ...away, stranger: true }],
    },
  };
  for (const [what, given] of Object.entries(sound)) {
    it(what, () => assert.deepEqual(judge(history(given)), []));
  }
});

describe('the soak finds in a delivery', () => {
  const wrong: Record<string, readonly [rule: string, told: Partial<History>]> = {
    'what is sent after its time': [
      'too late',
      {
        courses: [course(1, { spec: 'tone/start', node: 'brief-tone', endAt: 1900 })],
        requests: [tone(1, 1800)],
      },
    ],
    'what expired before its time': [
      'expired',
      { courses: [course(1, { spec: 'tone/start', endAt: 2000, receipt: expired })] },
    ],
    'what never expires, and did': [
      'expired',
      { courses: [course(1, { spec: 'settings/get', endAt: 90_000, receipt: expired })] },
    ],
    'what expired and was sent': [
      'nothing sent',
      {
        courses: [course(1, { spec: 'tone/start', node: 'brief-tone', endAt: 1320, receipt: expired })],
        requests: [tone(1, 1200, { taken: false, verdict: 'no' })],
      },
    ],
    'a stop that was given up at once': [
      'tried again',
      {
        courses: [course(1, { spec: 'door/lock local', receipt: failed('UNREACHABLE', 0) })],
        losses: [away],
      },
    ],
    'a start that was given up before its node wanted': [
      'tried again',
      {
        courses: [
          course(1, {
            spec: 'tone/start',
            node: 'patient-tone',
            endAt: 1300,
            receipt: failed('UNREACHABLE', 0),
          }),
        ],
        losses: [away],
      },
    ],
    'a dry run that was sent': [
      'dry run',
      {
        courses: [course(1, { spec: 'tone/start', receipt: { outcome: 'dry-run' }, course: dryRun })],
        requests: [tone(1, 1050)],
      },
    ],
    'a dry run whose receipt says that it was done': [
      'dry run',
      { courses: [course(1, { spec: 'tone/start', course: dryRun })] },
    ],
    'a dry run that is switched off': [
      'dry run',
      { courses: [course(1, { spec: 'tone/start', receipt: { outcome: 'dry-run', attempts: 0 } })] },
    ],
    'a split message that was lost': ['split', split()],
    'a split message with the wrong place': ['split', split({ index: 1, count: 2, devices: [name] })],
    'a split message with the wrong count': ['split', split({ index: 0, count: 1, devices: [name] })],
    'a refusal where nobody waits': [
      'queue',
      {
        courses: [course(1, { spec: 'tone/start', receipt: failed('QUEUE_FULL', 0) })],
        bounds: { [device]: 1 },
      },
    ],
    'a message too many that was taken in': [
      'queue',
      {
        courses: [
          course(1, { spec: 'door/unlock local', endAt: 5000 }),
          course(2, { spec: 'tone/start', endAt: 5100 }),
          course(3, { spec: 'tone/start', endAt: 5200 }),
        ],
        requests: [unlock(4900), tone(2, 5050), tone(3, 5150)],
        bounds: { [device]: 1 },
      },
    ],
    'a refusal where a thousand may wait': [
      'queue',
      { courses: [course(1, { spec: 'tone/start', receipt: failed('QUEUE_FULL', 0) })] },
    ],
    'a certificate that was never another': [
      'untrusted',
      { courses: [course(1, { spec: 'tone/start', receipt: failed('TLS_UNTRUSTED', 0) })], losses: [away] },
    ],
  };
  for (const [what, [rule, given]] of Object.entries(wrong)) {
    it(what, () => assert.ok(rules(given).includes(rule), `it found [${rules(given)}]`));
  }
});
