import assert from 'node:assert/strict';
import type { Deploy, History, Request } from '../../bench/soak/history';
import { judge } from '../../bench/soak/model';
import { course, device, failed, history, lock, request, rules, tone, unknown, unlock } from './histories';

const lost = { device, at: 1020 };
const silent = { verdict: 'unclear', fault: 'silent', answeredAt: undefined } as unknown as Partial<Request>;
const no = { verdict: 'no', fault: '400', code: 'REFUSED', taken: false } as const;
const full: Deploy = { type: 'full', devices: [], from: 1000, to: 1200 };

const opened = course(1, { spec: 'door/unlock local' });
const closed = course(2, { spec: 'door/lock local' });

describe('the soak finds nothing wrong with', () => {
  const sound: Record<string, Partial<History>> = {
    'a door that is opened and closed': { courses: [opened, closed], requests: [unlock(1050), lock(2050)] },
    'a refusal': {
      courses: [course(1, { spec: 'tone/start', receipt: failed('REFUSED') })],
      requests: [tone(1, 1050, no)],
    },
    'an answer that got lost': {
      courses: [course(1, { spec: 'tone/start', receipt: unknown('PROTOCOL') })],
      requests: [tone(1, 1050, silent)],
      losses: [lost],
    },
    'what is safe, sent again after the connection broke': {
      courses: [course(1, { spec: 'door/unlock local', receipt: { attempts: 2 } })],
      requests: [unlock(1050, silent), unlock(1060)],
      losses: [lost],
    },
    'a request that was signed again in the clock of the device': {
      courses: [course(1, { spec: 'tone/start', receipt: { attempts: 2 } })],
      requests: [tone(1, 1050, { ...no, code: 'AUTHENTICATION' }), tone(1, 1060)],
    },
    'a start that a stop removed': {
      courses: [
        course(1, {
          spec: 'door/unlock local',
          endAt: 1500,
          receipt: { ...failed('SUPERSEDED', 0), outcome: 'superseded' },
        }),
        course(2, { spec: 'door/lock local', sentAt: 1400 }),
      ],
      requests: [lock(1450)],
    },
    'a stop that is sent once more after the start that it did not wait for': {
      courses: [
        course(1, { spec: 'door/unlock local', endAt: 5000, receipt: { attempts: 2 } }),
        course(2, { spec: 'door/lock local', sentAt: 1500, endAt: 3600 }),
      ],
      requests: [unlock(1050, silent), lock(3550), unlock(4900), lock(5100)],
      losses: [lost],
    },
    'a stop that is sent once more before its message has ended, for another target': {
      courses: [
        course(1, { spec: 'door/unlock local', endAt: 5000, receipt: { attempts: 2 } }),
        course(2, { spec: 'door/lock local', sentAt: 1500, endAt: 6000, receipt: { latencyMs: 2100 } }),
      ],
      requests: [unlock(1050, silent), lock(3550), unlock(4900), lock(5100)],
      losses: [lost],
    },
    'a stop that was refused, and done when it was sent once more': {
      courses: [
        course(1, { spec: 'door/unlock local', endAt: 5000, receipt: { attempts: 2 } }),
        course(2, {
          spec: 'door/lock local',
          sentAt: 1500,
          endAt: 3600,
          receipt: { ...failed('REFUSED'), latencyMs: 2049 },
        }),
      ],
      requests: [unlock(1050, silent), lock(3550, no), unlock(4900), lock(5100)],
      losses: [lost],
    },
    'a deploy that leaves nobody to see the end': {
      courses: [course(1, { spec: 'door/lock local', receipt: unknown('ABORTED'), course: { caught: 0 } })],
      requests: [lock(1050, silent)],
      deploys: [full],
    },
  };
  for (const [what, given] of Object.entries(sound)) {
    it(what, () => assert.deepEqual(judge(history(given)), []));
  }
});

describe('the soak finds', () => {
  const end = { at: 1100, failed: false };
  const wrong: Record<string, readonly [rule: string, told: Partial<History>]> = {
    'a message that never ends': [
      'one end',
      { courses: [course(1, { spec: 'info/about', course: { ends: [] } })] },
    ],
    'a message that ends twice': [
      'one end',
      { courses: [course(1, { spec: 'info/about', course: { ends: [end, end] } })] },
    ],
    'a receipt that is missing': [
      'one receipt per target',
      { courses: [course(1, { spec: 'info/about', receipt: { device: 'Device 004' } })] },
    ],
    'an error that says another code': [
      'error',
      {
        courses: [
          course(1, {
            spec: 'tone/start',
            receipt: failed('REFUSED'),
            course: { ends: [{ at: 1100, failed: true, code: 'TIMEOUT' }] },
          }),
        ],
        requests: [tone(1, 1050, no)],
      },
    ],
    'a failure that no Catch node sees': [
      'seen by Catch',
      {
        courses: [course(1, { spec: 'tone/start', receipt: failed('REFUSED'), course: { caught: 0 } })],
        requests: [tone(1, 1050, no)],
      },
    ],
    'a message that goes on though nothing was done': [
      'goes on',
      {
        courses: [course(1, { spec: 'tone/start', receipt: failed('REFUSED'), course: { out: 1 } })],
        requests: [tone(1, 1050, no)],
      },
    ],
    'a failure of what was done': [
      'failed',
      {
        courses: [course(1, { spec: 'door/lock local', receipt: failed('UNREACHABLE') })],
        requests: [lock(1050, silent)],
        losses: [lost],
      },
    ],
    'a success of what was never done': ['accepted', { courses: [opened], losses: [lost] }],
    'an unknown that was never sent': [
      'unknown',
      { courses: [course(1, { spec: 'tone/start', receipt: unknown('TIMEOUT', 0) })] },
    ],
    'a request after all that was superseded': [
      'nothing sent',
      {
        courses: [
          course(1, {
            spec: 'door/unlock local',
            endAt: 1500,
            receipt: { ...failed('SUPERSEDED', 0), outcome: 'superseded' },
          }),
          course(2, { spec: 'door/lock local', sentAt: 1400 }),
        ],
        requests: [unlock(1410, no), lock(1450)],
      },
    ],
    'a device that was there and is called unreachable': [
      'unreachable',
      { courses: [course(1, { spec: 'tone/start', receipt: failed('UNREACHABLE', 0) })] },
    ],
    'a clear yes that is called a timeout': [
      'clear answer',
      {
        courses: [course(1, { spec: 'tone/start', receipt: unknown('TIMEOUT') })],
        requests: [tone(1, 1050)],
      },
    ],
    'a clear no by another name': [
      'clear answer',
      {
        courses: [course(1, { spec: 'tone/start', receipt: unknown('PROTOCOL') })],
        requests: [tone(1, 1050, no)],
      },
    ],
    'an attempt that is not counted': [
      'attempts',
      {
        courses: [opened],
        requests: [unlock(1050, silent), unlock(1060)],
        losses: [lost],
      },
    ],
    'an attempt that was never made': [
      'attempts',
      {
        courses: [course(1, { spec: 'tone/start', receipt: { attempts: 2 } })],
        requests: [tone(1, 1050)],
      },
    ],
    'a tone that is sent twice': [
      'unsafe twice',
      {
        courses: [course(1, { spec: 'tone/start', receipt: { attempts: 2 } })],
        requests: [tone(1, 1050, silent), tone(1, 1060)],
        losses: [lost],
      },
    ],
    'the answer to another question': [
      'answer',
      {
        courses: [course(1, { spec: 'settings/get', receipt: { response: '{"soak.soak7z":"x"}' } })],
        requests: [request(1050, { method: 'GET', path: '/api/settings/soak.soak1z' })],
      },
    ],
    'an unlock that is done after the lock behind it': [
      'order',
      {
        courses: [
          course(1, { spec: 'door/unlock local', endAt: 1500 }),
          course(2, { spec: 'door/lock local', sentAt: 1050, endAt: 1200 }),
        ],
        requests: [lock(1100), unlock(1300)],
      },
    ],
    'a stop that is not sent once more': [
      'order',
      {
        courses: [
          course(1, { spec: 'door/unlock local', endAt: 5000, receipt: { attempts: 2 } }),
          course(2, { spec: 'door/lock local', sentAt: 1500, endAt: 3600 }),
        ],
        requests: [unlock(1050, silent), lock(3550), unlock(4900)],
        losses: [lost],
      },
    ],
    'a start that is sent long after the stop behind it came': [
      'removed',
      {
        courses: [
          course(1, { spec: 'door/unlock local', endAt: 2500 }),
          course(2, { spec: 'door/lock local', sentAt: 1100, endAt: 3000 }),
        ],
        requests: [unlock(2400), lock(2900)],
      },
    ],
    'a message that passes another which is no more urgent': [
      'arrival',
      {
        courses: [
          course(1, { spec: 'tone/start', endAt: 2000 }),
          course(2, { spec: 'door/unlock local', sentAt: 1050, endAt: 1200 }),
        ],
        requests: [unlock(1100), tone(1, 1900)],
      },
    ],
    'a request after the receipt': [
      'after the end',
      { courses: [opened], requests: [unlock(1050), unlock(2500)] },
    ],
    'a start that is superseded by nothing': [
      'superseded',
      {
        courses: [
          course(1, { spec: 'strobe/start', receipt: { ...failed('SUPERSEDED', 0), outcome: 'superseded' } }),
        ],
      },
    ],
    'a message that is aborted by nothing': [
      'aborted',
      { courses: [course(1, { spec: 'tone/start', receipt: failed('ABORTED', 0) })] },
    ],
    'a receipt for a name that leads nowhere': [
      'nobody',
      {
        courses: [
          course(1, {
            spec: 'tone/start',
            receipt: { ...failed('UNREACHABLE', 1), device: 'Nobody' },
            course: {
              message: {
                id: 1,
                node: 'tone',
                spec: 'tone/start',
                targets: [{ name: 'Nobody', code: 'NOT_CONFIGURED' }],
              },
            },
          }),
        ],
      },
    ],
    'a request of no message': ['stray', { requests: [tone(9, 1050)] }],
    'a request that is badly signed': [
      'signature',
      {
        courses: [opened],
        requests: [unlock(1050), unlock(1060, { fault: 'badly signed', code: 'AUTHENTICATION' })],
      },
    ],
    'a warning': ['no complaint', { complaints: ['process warning: MaxListenersExceededWarning'] }],
  };
  for (const [what, [rule, given]] of Object.entries(wrong)) {
    it(what, () => assert.ok(rules(given).includes(rule), `it found [${rules(given)}]`));
  }
});
