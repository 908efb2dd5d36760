import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

const DOOR = 'POST /api/controls/door';

describe('the virtual device: doors (section 4.4)', () => {
  it('unlocks and locks each of its doors, without an answer body', () =>
    withDevice({ model: '8063' }, async ({ device, sendJson }) => {
      const unlocked = await sendJson(`${DOOR}/unlock`, { doorid: 'netdc1' });
      assert.deepEqual([unlocked.status, unlocked.text], [200, '']);
      assert.equal(unlocked.headers['content-type'], undefined);
      assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'unlocked' });
      await sendJson(`${DOOR}/lock`, { doorid: 'netdc1' });
      assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'locked' });
    }));

  it('relocks after a momentary unlock, and not earlier', () =>
    withDevice({ model: '8063' }, async ({ device, clock, sendJson }) => {
      assert.equal((await sendJson(`${DOOR}/munlock`, { doorid: 'local', duration: '5' })).status, 200);
      clock.advance(4999);
      assert.equal(device.state.doors.local, 'unlocked');
      clock.advance(1);
      assert.equal(device.state.doors.local, 'locked');
    }));

  it('stays unlocked when it was unlocked for good meanwhile', () =>
    withDevice({ model: '8063' }, async ({ device, clock, sendJson }) => {
      await sendJson(`${DOOR}/munlock`, { doorid: 'local', duration: '5' });
      await sendJson(`${DOOR}/unlock`, { doorid: 'local' });
      clock.advance(60_000);
      assert.equal(device.state.doors.local, 'unlocked');
    }));

  const wrong: readonly [string, string, unknown, RegExp][] = [
    ['no door', '/lock', {}, /doorid is missing/],
    ['another door', '/lock', { doorid: 'front' }, /doorid must be "netdc1" or "local", not "front"/],
    ['an unknown field', '/lock', { doorid: 'local', duration: '5' }, /\bduration\b/],
    ['a number where the document has a string', '/munlock', { doorid: 'local', duration: 5 }, /duration/],
    ['a duration with a unit', '/munlock', { doorid: 'local', duration: '5s' }, /duration/],
    ['null', '/munlock', { doorid: 'local', duration: null }, /duration/],
    ['a list', '/lock', [{ doorid: 'local' }], /\bobject\b/],
    ['no body', '/lock', undefined, /\bbody\b/],
  ];
  for (const [what, path, body, reason] of wrong)
    it(`refuses ${what}, with the reason`, () =>
      withDevice({ model: '8063' }, async ({ device, sendJson }) => {
        const reply = await sendJson(DOOR + path, body);
        assert.equal(reply.status, 400);
        assert.match(JSON.parse(reply.text).error, reason);
        assert.match(device.log[0]?.reason ?? '', reason);
        assert.deepEqual(device.state.doors, { local: 'locked', netdc1: 'locked' });
      }));

  it('has them on the models of the list only', async () => {
    for (const [model, status] of [
      ['8028', 200],
      ['8028G2', 200],
      ['8039', 200],
      ['8201', 200],
      ['8063', 200],
      ['8203', 404],
      ['8301', 404],
    ] as const)
      await withDevice({ model }, async ({ sendJson }) => {
        assert.equal((await sendJson(`${DOOR}/lock`, { doorid: 'local' })).status, status, model);
      });
  });

  it('has munlock from firmware 5.5 on', async () => {
    const munlock = { doorid: 'local', duration: '1' };
    await withDevice({ model: '8063', firmware: '5.4' }, async ({ sendJson }) => {
      const reply = await sendJson(`${DOOR}/munlock`, munlock);
      assert.equal(reply.status, 404);
      assert.match(reply.text, /firmware 5\.5 or newer; this device has 5\.4/);
      assert.equal((await sendJson(`${DOOR}/unlock`, { doorid: 'local' })).status, 200);
    });
    await withDevice({ model: '8063', firmware: '5.5_beta11' }, async ({ sendJson }) => {
      assert.equal((await sendJson(`${DOOR}/munlock`, munlock)).status, 200);
    });
  });
});
