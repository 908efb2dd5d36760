import assert from 'node:assert/strict';
import { withDevice } from '../with-device';

describe('the virtual device: what it says of itself (section 4.1)', () => {
  it('has a status record that fits the model and follows the settings', () =>
    withDevice({ name: 'Hall' }, async ({ sendJson }) => {
      await sendJson('PUT /api/settings', { 'audio.page.vol': '0dB', 'mcast.mode': '1' });
      await sendJson('POST /api/controls/reload');
      await sendJson('POST /api/controls/call/start', { extension: '200', tone: 'chime.wav' });
      const status = JSON.parse((await sendJson('GET /api/info/status')).text);
      assert.equal(status['Device Name'], 'Hall');
      assert.equal(status['Call Status'], 'Connected');
      assert.equal(status.Volume, 'Page Volume: 10 (0dB)');
      assert.equal(status['Date / Time'], 'Mon Sep 28 17:07:18 GMT 2020');
      assert.equal(status['Multicast Mode'], 'Transmitter (Idle)');
      assert.equal(status['Next Scheduled Event'], 'No Events Scheduled');
      assert.ok(Object.values(status).every((value) => typeof value === 'string'));
    }));

  it('has the fields of its model, and those of no other', async () => {
    const own: readonly [model: string, fields: Readonly<Record<string, string>>][] = [
      ['8450', { 'Stand (Docking Station)': 'Audio: Handset not connected', 'Action Button': 'Idle' }],
      ['8410', { 'Weather Status': 'Active', 'Last Weather Update': 'Mon Sep 28 17:00:00 GMT 2020' }],
      ['8301', { 'Next Scheduled Action': 'No Actions Scheduled', 'Current Action': 'None' }],
    ];
    const names = own.flatMap(([, fields]) => Object.keys(fields));
    for (const [model, fields] of own)
      await withDevice({ model }, async ({ sendJson }) => {
        const status = JSON.parse((await sendJson('GET /api/info/status')).text);
        const found = Object.fromEntries(
          names.filter((name) => name in status).map((name) => [name, status[name]]),
        );
        assert.deepEqual(found, fields, model);
        assert.equal(status.Temperature, '41C');
      });
  });
});

describe('the virtual device: what it does not know', () => {
  it('refuses unknown paths, methods and queries, wrong types and needless bodies', () =>
    withDevice({}, async ({ sendJson }) => {
      const cases: readonly [string, unknown, object, number][] = [
        ['GET /api//info/about', undefined, {}, 404],
        ['PATCH /api/settings', { 'a.b': '1' }, {}, 405],
        ['GET /api/info/about?x=1', undefined, {}, 400],
        ['GET /api/settings/%', undefined, {}, 400],
        ['GET /api/settings/a%2Fb', undefined, {}, 400],
        ['PUT /api/settings', { 'a.b': '1' }, { type: 'text/plain' }, 400],
        ['PUT /api/settings', { 'a.b': '1' }, { type: 'application/json; charset=utf-8' }, 400],
      ];
      for (const [route, body, deviceAction, status] of cases)
        assert.equal(
          (await sendJson(route, body, deviceAction)).status,
          status,
          `${route} ${JSON.stringify(deviceAction)}`,
        );
    }));

  it('overlooks what is harmless when it is lenient', () =>
    withDevice({ lenient: true }, async ({ sendJson }) => {
      const type = 'application/json; charset=utf-8';
      assert.equal((await sendJson('PUT /api/settings', { 'a.b': '1' }, { type })).status, 204);
      assert.equal((await sendJson('POST /api/controls/tone/stop', {})).status, 200);
      const more = { path: 'chime.wav', loop: true, volume: 5 };
      assert.equal((await sendJson('POST /api/controls/tone/start', more)).status, 200);
      assert.equal((await sendJson('POST /api/controls/tone/start', { path: 'chime.wav' })).status, 400);
    }));
});
