import assert from 'node:assert/strict';
import { Leap } from '../delivery/leap';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  eventsBy,
  type Place,
  shown,
} from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { statusesOf } from '../fixtures/flow';
import { act, outcomesOf, receiptsOf } from '../fixtures/site';

/** Rules of docs/contract.md 2.6, *Other nodes at a device output* and *Devices that come back*. */
describe('an output that a real alert owns', () => {
  let place: Place;
  const start = eachWithPlace((made) => {
    place = made;
  });
  const toWall = { target: 'device', device: 'wall' };
  const toDoor = { target: 'device', device: 'door' };
  const clear = (id: string) => place.site.ask(id, { operation: 'clear' });
  /** All that a device has got from now on. */
  const since = (device: FakeDevice) => {
    const before = device.operationNames.length;
    return () => device.operationNames.slice(before);
  };

  describe('during other nodes', () => {
    it('gets no start of another node: it is skipped, names the alert, and its message goes on', async () => {
      const alert = alertNode([action('strobe/start')], toWall);
      await start(alert, act('strobe/start', toWall));
      const { site, wall } = place;
      await site.ask(alert.id);
      const got = since(wall);
      const way = await site.ask('strobe/start');
      const [receipt] = receiptsOf(way);
      assert.deepEqual([way.sent.length, way.caught.length, receipt?.outcome], [1, 0, 'skipped']);
      assert.match(receipt?.note ?? '', new RegExp(String(alert.name)));
      assert.equal(receipt?.error, undefined);
      assert.deepEqual(got(), []);
      assert.match(statusesOf('strobe/start').at(-1)?.text ?? '', /skipped/);
      assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).active, ['Wall']);
      await clear(alert.id);
      assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['Wall accepted']);
    });

    it('gets none that still waited when the alert started: it is skipped in the same way', async () => {
      const alert = alertNode([action('strobe/start')], toWall);
      await start(alert, act('strobe/start', toWall), act('screen/text-start', toWall));
      const { site, wall } = place;
      wall.behavior = ({ operationName }) => (operationName === 'screen-text/start' ? 'hold' : 200);
      const busy = site.send('screen/text-start');
      await site.until('the device is busy', () => wall.held.includes('screen-text/start'));
      const waiting = site.send('strobe/start');
      await site.ask(alert.id);
      const way = await site.ended(waiting);
      const [receipt] = receiptsOf(way);
      assert.deepEqual([way.sent.length, way.caught.length, receipt?.outcome], [1, 0, 'skipped']);
      assert.match(receipt?.note ?? '', new RegExp(String(alert.name)));
      assert.equal(receipt?.error, undefined);
      wall.release();
      await site.ended(busy);
      assert.deepEqual(wall.operationNames, ['screen-text/start', 'strobe/start']);
      await clear(alert.id);
    });

    it('gets it where the node may send during alerts, and the action of the alert has ended then', async () => {
      const alert = alertNode([action('strobe/start'), action('screen/text-start')], toWall);
      await start(alert, act('strobe/start', { ...toWall, duringAlert: true }));
      const { site, wall } = place;
      await site.ask(alert.id);
      assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['Wall accepted']);
      const got = since(wall);
      await clear(alert.id);
      assert.deepEqual(got(), ['screen-text/stop']);
    });

    it('gets every stop of another node', async () => {
      const alert = alertNode([action('strobe/start')], { ...toWall, retryAlert: true });
      await start(alert, act('strobe/stop', toWall), act('strobe/start', toWall));
      const { site } = place;
      await site.ask(alert.id);
      assert.deepEqual(outcomesOf(await site.ask('strobe/stop')), ['Wall accepted']);
      // The action of the alert has ended, so that it holds nothing back any more.
      assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['Wall accepted']);
      await clear(alert.id);
    });

    it('keeps its device from being restarted, also after a write', async () => {
      const alert = alertNode([action('strobe/start')], toWall);
      const put = act('settings/put', { ...toWall, reloadAfter: true, given: { 'a.b': 'c' } });
      await start(
        alert,
        act('system/reboot', { ...toWall, waitUntilBack: true }),
        act('system/reload', toWall),
        put,
      );
      const { site, wall } = place;
      await site.ask(alert.id);
      const got = since(wall);
      for (const id of ['system/reboot', 'system/reload', 'settings/put'])
        assert.deepEqual(outcomesOf(await site.ask(id)), ['Wall skipped'], id);
      assert.deepEqual(got(), []);
      await clear(alert.id);
    });

    it('is as any other during a drill', async () => {
      const alert = alertNode([action('strobe/start')], { ...toWall, drill: true });
      await start(alert, act('strobe/start', toWall));
      const { site } = place;
      await site.ask(alert.id);
      assert.deepEqual(outcomesOf(await site.ask('strobe/start')), ['Wall accepted']);
      await clear(alert.id);
    });

    it('counts for one target alone where a message has several', async () => {
      const alert = alertNode([action('strobe/start')], toWall);
      const other = await place.site.device('Other', '8410');
      await start(other.config(), alert, act('strobe/start', { target: 'msg' }));
      const { site } = place;
      await site.ask(alert.id);
      const way = await site.ask('strobe/start', { device: ['Wall', 'Other'] });
      assert.deepEqual(outcomesOf(way), ['Wall skipped', 'Other accepted']);
      assert.deepEqual([way.sent.length, way.caught.length], [1, 0]);
      await clear(alert.id);
    });
  });

  describe('when something else ends there', () => {
    it('is not darkened by the auto-stop of another node while its start is still retried', async () => {
      const { site, door } = place;
      const old = await site.device('Old', '8410', '5.4');
      const toOld = { target: 'device', device: 'old' };
      const alert = alertNode([action('strobe/start')], { ...toOld, retryAlert: true });
      const marker = { ...act('relay/enable', { ...toDoor, endAfter: '0.6' }), id: 'marker' };
      await start(old.config(), alert, act('strobe/start', { ...toOld, endAfter: '0.3' }), marker);
      await site.ask('strobe/start');
      await old.close();
      assert.deepEqual(outcomesOf(await site.ask(alert.id)), ['Old failed']);
      await site.ask('marker');
      await site.until('a later stop has come', () => door.operationNames.includes('relay/disable'));
      await old.open();
      await site.until('the alert has come', () => old.operationNames.length > 1);
      await clear(alert.id);
      assert.deepEqual(old.operationNames, ['strobe/start', 'strobe/start', 'strobe/stop']);
    });

    it('gets the auto-stop of another node after the clear, where its own start never succeeded', async () => {
      const { site, door } = place;
      const alert = alertNode([action('relay/enable')], { ...toDoor, retryAlert: 'all' });
      const toWallToo = { target: 'device', device: 'wall' };
      const marker = { ...act('strobe/start', { ...toWallToo, endAfter: '0.6' }), id: 'marker' };
      await start(alert, act('relay/enable', { ...toDoor, endAfter: '0.3' }), marker);
      await site.ask('relay/enable');
      door.behavior = ({ operationName }) => (operationName === 'relay/enable' ? 503 : 200);
      assert.deepEqual(outcomesOf(await site.ask(alert.id)), ['Door failed']);
      await site.ask('marker');
      await site.until('a later stop has come', () => place.wall.operationNames.includes('strobe/stop'));
      assert.ok(!door.operationNames.includes('relay/disable'));
      await clear(alert.id);
      await site.until('it is off', () => door.operationNames.includes('relay/disable'));
    });

    it('is unlocked again when the device has locked after a momentary unlock', async () => {
      const { site, door } = place;
      const alert = alertNode([action('door/unlock')], { ...toDoor, retryAlert: true });
      await start(alert, act('door/munlock', { ...toDoor, given: { duration: '1' } }));
      await site.ask('door/munlock');
      await site.ask(alert.id);
      await site.until('it is unlocked again', () => door.operationNames.length === 3);
      assert.deepEqual(door.operationNames, ['door/munlock', 'door/unlock', 'door/unlock']);
      await clear(alert.id);
    });

    it('sounds again, with a stop before, after a tone that another node may play', async () => {
      const speaker = await place.site.device('Speaker', '8301');
      const toSpeaker = { target: 'device', device: 'speaker' };
      const alert = alertNode([action('tone/start')], { ...toSpeaker, retryAlert: true });
      const given = { loop: false, duration: 1 };
      await start(speaker.config(), alert, act('tone/start', { ...toSpeaker, duringAlert: true, given }));
      const { site } = place;
      await site.ask(alert.id);
      await site.ask('tone/start');
      await site.until('it sounds again', () => speaker.operationNames.length === 4);
      assert.deepEqual(speaker.operationNames.slice(2), ['tone/stop', 'tone/start']);
      assert.equal(speaker.requests.at(-1)?.parameters.loop, true);
      await clear(alert.id);
    });
  });

  describe('at a device that was away', () => {
    it('gets again what may be sent twice, and a looping tone after a stop', async () => {
      const { site } = place;
      const horn = await site.device('Horn', '8028');
      const toHorn = { target: 'device', device: 'horn' };
      const actions = ['tone/start', 'door/unlock'].map((name) => action(name));
      const alert = alertNode(actions, { ...toHorn, retryAlert: true });
      await start(horn.config(), alert, act('info/status', toHorn));
      await site.ask(alert.id);
      const got = since(horn);
      await horn.close();
      await site.ask('info/status');
      await horn.open();
      await site.ask('info/status');
      await site.until('it sounds again', () => got().includes('tone/start'));
      assert.deepEqual(got(), ['info/status', 'tone/stop', 'tone/start']);
      // Nothing is known of the door, which is not unlocked again.
      const state = alertOf(await site.ask(alert.id, { operation: 'state' }));
      assert.deepEqual([state.active, state.unknown, state.failed], [[], ['Horn'], []]);
      await clear(alert.id);
      assert.deepEqual(got().slice(3), ['door/lock', 'tone/stop']);
    });

    it('gets it again after a restart by Node-RED, with the first answer after an error', async () => {
      const { site, wall } = place;
      const alert = alertNode([action('strobe/start')], { ...toWall, retryAlert: true });
      await start(alert, act('system/reboot', { ...toWall, duringAlert: true }), act('info/status', toWall));
      await site.ask(alert.id);
      await site.ask('system/reboot');
      const got = since(wall);
      // It still answers before it goes down.
      await site.ask('info/status');
      await wall.close();
      await site.ask('info/status');
      await wall.open();
      await site.ask('info/status');
      await site.until('it flashes again', () => got().includes('strobe/start'));
      assert.equal(got().filter((name) => name === 'strobe/start').length, 1);
      await clear(alert.id);
    });

    for (const [title, behavior, outcome] of [
      ['no request has noticed', undefined, 'accepted'],
      ['might have come, since its answer was lost', 'reset', 'unknown'],
    ] as const)
      it(`gets it again 20 s after a restart by Node-RED that ${title}`, async () => {
        const { site, wall } = place;
        const alert = alertNode([action('strobe/start')], { ...toWall, retryAlert: true });
        await start(
          alert,
          act('system/reboot', { ...toWall, duringAlert: true }),
          act('info/status', toWall),
        );
        await site.ask(alert.id);
        if (behavior)
          wall.behavior = ({ operationName }) => (operationName === 'controls/reboot' ? behavior : 200);
        assert.deepEqual(outcomesOf(await site.ask('system/reboot')), [`Wall ${outcome}`]);
        const got = since(wall);
        const leap = new Leap();
        try {
          leap.seconds(19);
          await site.ask('info/status');
          assert.deepEqual(got(), ['info/status']);
          leap.seconds(2);
          await site.ask('info/status');
          await site.until('it flashes again', () => got().includes('strobe/start'));
        } finally {
          leap.end();
        }
        await clear(alert.id);
      });

    it('gets nothing again where the alert retries nothing', async () => {
      const { site, wall } = place;
      const alert = alertNode([action('strobe/start')], { ...toWall, retryAlert: false });
      await start(alert, act('info/status', toWall), act('screen/text-start', toWall));
      await site.ask(alert.id);
      await wall.close();
      await site.ask('info/status');
      await wall.open();
      await site.ask('info/status');
      // Two exchanges later it would have come.
      for (const id of ['screen/text-start', 'info/status']) await site.ask(id);
      assert.equal(wall.operationNames.filter((name) => name === 'strobe/start').length, 1);
      assert.deepEqual(alertOf(await site.ask(alert.id, { operation: 'state' })).unknown, ['Wall']);
      await clear(alert.id);
    });
  });

  describe('at a device that answers oddly', () => {
    for (const [title, odd] of [
      ['rejects a reading', 500],
      ['resets a reading', 'reset'],
    ] as const) {
      it(`gets nothing again where it ${title}`, async () => {
        const { site, wall } = place;
        const alert = alertNode(
          ['strobe/start', 'tone/start'].map((name) => action(name)),
          { ...toWall, retryAlert: true },
        );
        await start(alert, act('info/status', toWall), act('info/about', toWall));
        await site.ask(alert.id);
        const got = since(wall);
        wall.behavior = ({ operationName }) => (operationName === 'info/status' ? odd : 200);
        for (const id of ['info/status', 'info/about', 'info/status', 'info/about']) await site.ask(id);
        await clear(alert.id);
        const changes = got().filter((name) => !name.startsWith('info/'));
        assert.deepEqual(changes, ['tone/stop', 'strobe/stop']);
      });
    }

    it('keeps what is on while another action is rejected again and again', async () => {
      const { site, wall } = place;
      const alert = alertNode(
        ['tone/start', 'strobe/start', 'screen/text-start'].map((name) => action(name)),
        { ...toWall, retryAlert: true },
      );
      await start(alert);
      wall.behavior = ({ operationName }) => (operationName === 'screen-text/start' ? 500 : 200);
      await site.ask(alert.id);
      const got = since(wall);
      await site.until('the text was tried again', () => got().length >= 2);
      assert.deepEqual([...new Set(got())], ['screen-text/start']);
      await clear(alert.id);
    });
  });

  describe('whose start has no answer', () => {
    it('gets a looping tone once more, after a stop', async () => {
      const { site } = place;
      const horn = await site.device('Horn', '8301');
      const toHorn = { target: 'device', device: 'horn' };
      const alert = alertNode([action('tone/start')], { ...toHorn, retryAlert: true });
      await start(horn.config(), alert);
      horn.behavior = () => 'reset';
      assert.deepEqual(outcomesOf(await site.ask(alert.id)), ['Horn unknown']);
      // A device may reject the stop of a tone that it does not play.
      horn.behavior = ({ operationName }) => (operationName === 'tone/stop' ? 404 : 200);
      await site.until('it sounds', () => horn.operationNames.length === 3);
      assert.deepEqual(horn.operationNames, ['tone/start', 'tone/stop', 'tone/start']);
      await site.until('the alert tells it', () => eventsBy(site, alert.name).includes('reached'));
      await clear(alert.id);
    });
  });

  describe('at firmware without the time limit of an action', () => {
    it('is started without it, and stopped by Node-RED after that time', async () => {
      const { site } = place;
      const old = await site.device('Old', '8410', '5.4');
      const alert = alertNode([action('strobe/start', { duration: 1 })], { target: 'device', device: 'old' });
      await start(old.config(), alert);
      const way = await site.ask(alert.id);
      assert.deepEqual(outcomesOf(way), ['Old accepted']);
      assert.match(receiptsOf(way)[0]?.note ?? '', /duration.* 1 s/);
      assert.equal('duration' in (old.requests.at(-1)?.parameters ?? {}), false);
      await site.until('it is stopped', () => old.operationNames.length === 2);
      assert.deepEqual(old.operationNames, ['strobe/start', 'strobe/stop']);
      await site.until('both have a receipt', () => site.inbox('log').length === 2);
      const senders = site.inbox('log').map(({ payload }) => Object(payload).node);
      assert.deepEqual(senders, [alert.name, alert.name]);
      await clear(alert.id);
    });
  });

  describe('at a device with dry run', () => {
    it('says so, and counts neither as on nor as reached', async () => {
      const { site, wall } = place;
      const alert = alertNode([action('strobe/start')], { target: 'msg' });
      const dry = wall.config({ id: 'dry', name: 'Dry', address: 'http://127.0.0.1:9', dryRun: true });
      await start(alert, dry);
      const { active, dryRun } = alertOf(await site.ask(alert.id, { device: 'Dry' }));
      assert.deepEqual([active, dryRun], [[], 1]);
      await shown(alert.id, 'status.dryRun');
      assert.deepEqual(alertOf(await site.ask(alert.id, { device: 'Wall' })).active, ['Wall']);
      await shown(alert.id, 'status.on, status.dryRun');
      const { sent } = await site.ask(alert.id, { operation: 'report' });
      const [report] = (sent[0]?.payload ?? []) as { reached: number; dryRun: number }[];
      assert.deepEqual([report?.reached, report?.dryRun], [1, 1]);
      await clear(alert.id);
    });
  });
});
