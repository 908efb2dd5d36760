import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

describe('the virtual device: the console (section 4.11)', () => {
  const active = async (sendJson: (route: string) => Promise<{ text: string }>): Promise<unknown> =>
    JSON.parse((await sendJson('GET /api/console/event/status')).text);
  it('starts an event per button, and stops those that are meant', () =>
    withDevice(
      { model: '8450', buttons: { fire: 'emergency', hall: 'pageTone', all: 'pageMic' } },
      async ({ sendJson }) => {
        const press = (id: string) => sendJson('POST /api/controls/console/button/activate', { id });
        const stop = async (type: string) => {
          const reply = await sendJson('POST /api/controls/console/event/stop', { type });
          assert.match(reply.headers['content-type'] ?? '', /^text\/plain/);
          return reply.text;
        };
        for (const id of ['fire', 'hall', 'all']) assert.equal((await press(id)).text, '');
        assert.equal((await press('nobody')).status, 400);
        assert.deepEqual(await active(sendJson), {
          active: [{ type: 'emergency' }, { type: 'pageTone' }, { type: 'pageMic' }],
        });
        assert.equal(await stop('nonEmergency'), 'Stopped 2 event(s).');
        assert.equal(await stop('call'), 'Stopped 0 event(s).');
        assert.deepEqual(await active(sendJson), { active: [{ type: 'emergency' }] });
        assert.equal(await stop('all'), 'Stopped 1 event(s).');
        assert.deepEqual(await active(sendJson), { active: [] });
        assert.equal((await sendJson('POST /api/controls/console/event/stop', { type: 'some' })).status, 400);
      },
    ));
  it('takes any identifier when no buttons are configured', () =>
    withDevice({ model: '8450' }, async ({ sendJson }) => {
      assert.equal((await sendJson('POST /api/controls/console/button/activate', { id: 'x1' })).status, 200);
      assert.deepEqual(await active(sendJson), { active: [{ type: 'pageTone' }] });
      const status = JSON.parse((await sendJson('GET /api/info/status')).text);
      assert.equal(status.Console, 'Paging with Tone Active');
    }));
});
