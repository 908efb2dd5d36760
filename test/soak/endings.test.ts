import assert from 'node:assert/strict';
import type { History, Request } from '../../bench/soak/history';
import { judge } from '../../bench/soak/model';
import { course, device, history, lock, request, rules, unlock } from './histories';

const ending = (id: number, given: Parameters<typeof course>[1]) =>
  course(id, { node: `ending-${given.spec.split('/')[0]}`, ...given });
const strobe = (at: number, body: string): Request =>
  request(at, { method: 'POST', path: '/api/controls/strobe/start' }, { body });
const endings = [device];
describe('the soak finds nothing wrong with', () => {
  const sound: Record<string, Partial<History>> = {
    'what Node-RED ends': {
      courses: [ending(1, { spec: 'door/unlock local' })],
      requests: [unlock(1050), lock(3060)],
      endings,
    },
    'an end of what may have been started': {
      courses: [
        ending(1, {
          spec: 'door/unlock local',
          receipt: { outcome: 'unknown', error: { code: 'PROTOCOL', message: 'lost' } },
        }),
      ],
      requests: [unlock(1050, { taken: false, verdict: 'unclear' }), lock(3110)],
      losses: [{ device, at: 1050 }],
      endings,
    },
    'an end that is asked for again because its answer was lost': {
      courses: [ending(1, { spec: 'door/unlock local' })],
      requests: [unlock(1050), lock(3060, { verdict: 'unclear' }), lock(4060)],
      endings,
    },
    'what the device ends': {
      courses: [ending(1, { spec: 'strobe/start' })],
      requests: [strobe(1050, '{"pattern":1,"duration":2}')],
      endings,
    },
    'whose end a later start took over': {
      courses: [ending(1, { spec: 'door/unlock local' }), course(2, { spec: 'door/unlock local' })],
      requests: [unlock(1050), unlock(2050)],
      endings,
    },
    'what a message ended before its time': {
      courses: [ending(1, { spec: 'door/unlock local' }), course(2, { spec: 'door/lock local' })],
      requests: [unlock(1050), lock(2050)],
      endings,
    },
  };
  for (const [what, given] of Object.entries(sound)) {
    it(what, () => assert.deepEqual(judge(history(given)), []));
  }
});

describe('the soak finds', () => {
  const wrong: Record<string, readonly [rule: string, told: Partial<History>]> = {
    'what stays on': [
      'stays on',
      { courses: [ending(1, { spec: 'door/unlock local' })], requests: [unlock(1050)], endings },
    ],
    'what a start that came after its end switched on again': [
      'stays on',
      {
        courses: [ending(1, { spec: 'door/unlock local' }), ending(2, { spec: 'door/unlock local' })],
        requests: [unlock(1050), lock(3100), unlock(3200)],
        endings,
      },
    ],
    'an end before its time': [
      'ended early',
      {
        courses: [ending(1, { spec: 'door/unlock local' })],
        requests: [unlock(1050), lock(2050)],
        endings,
      },
    ],
    'an end of what is to stay': [
      'ended for nothing',
      {
        courses: [ending(1, { spec: 'door/unlock local' }), course(2, { spec: 'door/unlock local' })],
        requests: [unlock(1050), unlock(2050), lock(3060)],
        endings,
      },
    ],
    'an end that comes twice': [
      'ended for nothing',
      {
        courses: [ending(1, { spec: 'door/unlock local' })],
        requests: [unlock(1050), lock(3060), lock(4060)],
        endings,
      },
    ],
  };
  for (const [what, [rule, given]] of Object.entries(wrong)) {
    it(what, () => assert.ok(rules(given).includes(rule), `it found [${rules(given)}]`));
  }
});
