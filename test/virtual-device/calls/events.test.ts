import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { authorization, md5 } from '../../fixtures/signing';
import { call, post } from '../schedule/bells';
import { NOON } from '../with-device';
import { calls, entry, happen, withCalls } from './target';

describe('the virtual device: the calls of an event', () => {
  it('are sent at its time, and not before', () =>
    withCalls({}, async ({ place, requests, ...fixture }) => {
      const wanted = { ...entry, method: 'PUT', target: place, path: '/a%20b?c=d', header: 'X-A: 1' };
      const api_call = [{ ...wanted, payload: '{"n": 1}' }];
      await post(fixture, { events: [{ ...call, start_time: '18:00', api_call }] });
      fixture.clock.advance((52 * 60 + 42) * 1000 - 1);
      assert.equal(fixture.device.state.lastEvent, null);
      fixture.clock.advance(1);
      const [callEntry] = await calls(fixture.device, 1);
      assert.deepEqual(
        requests.map(({ method, url, body }) => [method, url, body]),
        [['PUT', '/a%20b?c=d', '{"n": 1}']],
      );
      assert.equal(requests[0]?.headers['x-a'], '1');
      assert.deepEqual(callEntry, {
        at: '2020-09-28T18:00:00.000Z',
        event: 'Call',
        method: 'PUT',
        target: place,
        path: '/a%20b',
        outcome: 'answered',
        status: 200,
      });
    }));

  it('are sent in order, one at a time, each once, whatever became of the one before', async () => {
    const open: ServerResponse[] = [];
    let most = 0;
    await withCalls(
      {},
      async ({ place, requests, ...fixture }) => {
        const closed = '127.0.0.1:1';
        await happen(
          fixture,
          { ...entry, target: place, path: '/first' },
          { ...entry, target: closed, path: '/second' },
          { ...entry, target: '192.0.2.9', path: '/third' },
          { ...entry, target: place, path: '/fourth' },
          { ...entry, target: place, path: '/fifth' },
        );
        const callEntry = await calls(fixture.device, 5);
        assert.deepEqual(
          callEntry.map(({ path, outcome, status }) => [path, outcome, status]),
          [
            ['/first', 'answered', 500],
            ['/second', 'unreachable', undefined],
            ['/third', 'not-sent', undefined],
            ['/fourth', 'answered', 302],
            ['/fifth', 'answered', 200],
          ],
        );
        assert.deepEqual(
          requests.map(({ url }) => url),
          ['/first', '/fourth', '/fifth'],
        );
        assert.equal(most, 1);
      },
      (response, { url }) => {
        open.push(response);
        most = Math.max(most, open.length);
        setImmediate(() => {
          open.pop();
          if (url === '/fourth') response.writeHead(302, { Location: '/elsewhere' }).end();
          else response.writeHead(url === '/first' ? 500 : 200).end();
        });
      },
    );
  });

  it('do not wait for those of another event', () =>
    withCalls(
      {},
      async ({ place, ...fixture }) => {
        const every = (name: string, path: string) => ({
          ...call,
          ...{ name, start_time: '17:08' },
          api_call: [{ ...entry, target: place, path }],
        });
        await post(fixture, { events: [every('Slow', '/hangs'), every('Quick', '/quick')] });
        fixture.clock.advance(42_000);
        assert.equal((await calls(fixture.device, 1))[0]?.event, 'Quick');
        fixture.clock.advance(5000);
        assert.deepEqual(
          (await calls(fixture.device, 2)).map(({ event, outcome }) => [event, outcome]),
          [
            ['Quick', 'answered'],
            ['Slow', 'timed-out'],
          ],
        );
      },
      (response, { url }) => void (url === '/quick' && response.end()),
    ));

  it('end with the device, each with its line', () =>
    withCalls(
      {},
      async ({ place, requests, ...fixture }) => {
        const never = { ...entry, target: place, path: '/never' };
        await happen(fixture, never, { ...never, path: '/second' }, { ...never, path: '/third' });
        while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
        await fixture.device.stop();
        assert.deepEqual(
          fixture.device.calls.map(({ path, outcome, reason }) => [path, outcome, reason]),
          [
            ['/never', 'broken', 'the device has stopped'],
            ['/second', 'not-sent', 'the device has stopped'],
            ['/third', 'not-sent', 'the device has stopped'],
          ],
        );
      },
      () => undefined,
    ));

  it('are signed with the password in force, by the clock of the device', () =>
    withCalls({ password: 'old' }, async ({ place, requests, ...fixture }) => {
      await fixture.device.carryOut('password', { password: 'new' });
      const { start_date: _, start_time: __, ...undated } = call;
      const header = '%DEVICE_HEADERS%';
      const payload = '{"path":"page-notif.wav", "loop":false}';
      const sent = { ...entry, method: 'POST', target: place, header, payload };
      const api_call = [
        { ...sent, path: '/api/controls/tone/start' },
        { ...entry, target: place, header, path: '/api/settings/audio.page.vol?x=1' },
      ];
      const events = [{ ...undated, delay: 10, api_call }];
      assert.equal(
        (await fixture.sendJson('POST /api/schedules', { events }, { password: 'new' })).status,
        200,
      );
      fixture.clock.advance(10_000);
      await calls(fixture.device, 2);
      const seconds = (NOON + 10_000) / 1000;
      const date = 'Mon, 28 Sep 2020 17:07:28 GMT';
      const nonces = requests.map(({ headers }) => headers.authorization?.split(':')[1] ?? '');
      const [nonce = '', other = ''] = nonces;
      assert.match(nonce, /^[\w-]{22}$/);
      assert.notEqual(nonce, other);
      const content = { body: payload, type: 'application/json' };
      const tone = { method: 'POST', uri: '/api/controls/tone/start', content, seconds, nonce };
      assert.equal(requests[0]?.headers.authorization, authorization(tone, 'new'));
      assert.equal(requests[0]?.headers.date, date);
      assert.equal(requests[0]?.headers['content-type'], 'application/json');
      assert.equal(requests[0]?.headers['content-md5'], md5(payload));
      const setting = { method: 'GET', uri: '/api/settings/audio.page.vol', seconds, nonce: other };
      assert.equal(requests[1]?.headers.authorization, authorization(setting, 'new'));
      assert.deepEqual(
        ['date', 'content-type', 'content-md5'].map((name) => requests[1]?.headers[name]),
        [date, undefined, undefined],
      );
    }));
});
