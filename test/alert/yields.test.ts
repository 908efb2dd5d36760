import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { alertsOf } from '../../src/runtime/alert/alerts';
import { action, alertNode } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { act, outcomesOf, receiptLog, Site } from '../fixtures/site';

describe('the end of an alert that nobody sent a message for', () => {
  let site: Site;
  let wall: FakeDevice;
  beforeEach(async () => {
    site = new Site();
    wall = await site.device('Wall', '8410');
    // What another test's alert still owes its wall is not sent to this one.
    wall.id = 'wall-with-an-end';
  });
  afterEach(() => site.end());

  const toWall = { target: 'device', device: 'wall-with-an-end' };

  it('takes no start out that a person sent and that waits; what a person put in its place stays', async () => {
    const alert = alertNode([action('screen/start')], toWall);
    const nodes = [alert, act('strobe/start', toWall), act('screen/start', toWall)];
    let RED: NodeAPI | undefined;
    const capture = (api: NodeAPI) => {
      RED = api;
    };
    await site.start([wall.config(), ...receiptLog(), ...nodes], {}, [capture]);
    assert.ok(RED);
    await site.ask(alert.id);
    wall.behavior = ({ operationName: name }) => (name === 'strobe/start' ? 'hold' : 200);
    const before = site.send('strobe/start');
    await site.until('something else is under way', () => wall.held.includes('strobe/start'));
    const way = site.send('screen/start');
    await new Promise(setImmediate);
    // As when the alert's time is over.
    const { tried } = await alertsOf(RED).clear(alert.id, { yields: true });
    const [end] = await tried;
    assert.equal(end?.operation, 'screen/stop');
    wall.release('strobe/start', 200);
    await Promise.all([site.ended(before), site.ended(way)]);
    assert.deepEqual(outcomesOf(way), ['Wall accepted']);
    assert.deepEqual(wall.operationNames, ['screen/start', 'strobe/start', 'screen/start']);
  });

  it('takes none out when it is asked for again, either', async () => {
    const alert = alertNode([action('screen/start')], toWall);
    const nodes = [alert, act('strobe/start', toWall), act('screen/start', toWall)];
    let RED: NodeAPI | undefined;
    const capture = (api: NodeAPI) => {
      RED = api;
    };
    await site.start([wall.config(), ...receiptLog(), ...nodes], {}, [capture]);
    assert.ok(RED);
    await site.ask(alert.id);
    wall.behavior = ({ operationName: name }) =>
      name === 'strobe/start' ? 'hold' : name === 'screen/stop' ? 503 : 200;
    await site.ask(alert.id, { operation: 'clear' });
    const before = site.send('strobe/start');
    await site.until('something else is under way', () => wall.held.includes('strobe/start'));
    const way = site.send('screen/start');
    let left = 2;
    const alerts = alertsOf(RED);
    await new Promise<void>((resolve) => {
      // Once when it is asked for again, and once when that has ended.
      const detach = alerts.attach(
        'onlooker',
        {
          state: () => assert.fail(),
          onReached() {},
          onEnded() {},
          onUnacknowledged() {},
          onChange: () => {
            left -= 1;
            if (left > 0) return;
            detach();
            resolve();
          },
        },
        false,
      );
    });
    wall.release('strobe/start', 200);
    await Promise.all([site.ended(before), site.ended(way)]);
    assert.deepEqual(outcomesOf(way), ['Wall accepted']);
    assert.equal(wall.operationNames.at(-1), 'screen/start');
  });
});
