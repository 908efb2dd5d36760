import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { PanelSessions } from '../../../src/virtual-device/panel/sessions';
import { streamEvents } from '../../../src/virtual-device/panel/stream';
import { anyViewer } from '../../../src/virtual-device/panel/viewer';
import { listen } from '../../fixtures/listening';
import { withCalls } from '../calls/target';

describe('the events of a panel', () => {
  let device: VirtualDevice;

  beforeEach(async () => {
    device = new VirtualDevice({ model: '8138', password: 'hunter2' });
    await device.start();
  });
  afterEach(() => device.stop());

  it('lets a panel go that does not read, and tells it nothing more, when the device ends', async () => {
    const streams: ServerResponse[] = [];
    const failures: Error[] = [];
    const server = createServer((asked, response) => {
      streams.push(response.on('error', (error) => failures.push(error)));
      streamEvents(device, asked, response, anyViewer);
    });
    const { port, hostname } = new URL(`http://${await listen(server)}`);
    const reader = connect(Number(port), hostname);
    reader.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: panel\r\n\r\n');
    await once(reader, 'readable');
    const [stream] = streams;
    assert.ok(stream);
    // More than the sockets between them hold.
    while (stream.writableLength < 1_000_000) {
      stream.write(Buffer.alloc(500_000, ':'));
      await new Promise(setImmediate);
    }
    const gone = once(stream, 'close');
    device.setInput('relay', 'idle');
    await device.stop();
    device.setInput('relay', 'active');
    await gone;
    assert.deepEqual(failures, []);
    assert.equal(device.listenerCount('change') + device.listenerCount('happened'), 0);
    const closed = once(server, 'close');
    server.close();
    reader.destroy();
    await closed;
  });

  it('says to a panel that it is still there, and ends when its permission has', async () => {
    const events: string[] = [];
    let beats = 0;
    const mayRead = (): boolean => {
      beats += 1;
      return beats <= 3;
    };
    const server = createServer((asked, response) =>
      streamEvents(device, asked, response, { mayChange: false, mayRead }, 5),
    );
    const asked = get(`http://${await listen(server)}/`);
    const [response] = await once(asked, 'response');
    response.setEncoding('utf8').on('data', (text: string) => events.push(text));
    await once(response, 'end');
    assert.equal(events.join('').match(/^: still here\n\n/gm)?.length, 3);
    assert.equal(device.listenerCount('change') + device.listenerCount('happened'), 0);
    server.close();
  });
});

describe('who may see a panel', () => {
  it('has a ticket, once, for one device and half a minute, and then a session', () => {
    let now = 1000;
    const sessions = new PanelSessions({ now: () => now });
    const ticket = sessions.issue('a', false);
    assert.equal(sessions.redeem('b', ticket), undefined, 'for another device');
    assert.equal(sessions.redeem('a', ticket), undefined, 'tried once is used');
    const session = sessions.redeem('a', sessions.issue('a', false));
    assert.ok(session);
    assert.equal(sessions.find('a', session)?.mayChange, false);
    assert.equal(sessions.find('b', session), undefined);
    const late = sessions.issue('a', true);
    now += 30_000;
    assert.equal(sessions.redeem('a', late), undefined);
    now += 12 * 3_600_000;
    assert.equal(sessions.find('a', session), undefined);
  });
});

describe('the calls of a device on its panel', () => {
  it('are told with their answers: the last ones at first, then each as it ends', () =>
    withCalls({}, async ({ place, device }) => {
      const call = { method: 'GET', target: place, auth: 'none' };
      await device.carryOut('call', { ...call, path: '/before' });
      const server = createServer((asked, response) => streamEvents(device, asked, response, anyViewer));
      const asked = get(`http://${await listen(server)}/`);
      const [response] = await once(asked, 'response');
      response.setEncoding('utf8');
      let text = '';
      const events = async (event: string): Promise<unknown[]> => {
        const found = () => new RegExp(`^event: ${event}\ndata: (.*)\n\n`, 'm').exec(text)?.[1];
        while (found() === undefined) {
          const [more] = await once(response, 'data');
          text += more;
        }
        const data = JSON.parse(found() ?? '');
        return (data.calls ?? data).map((one: { path: string; status: number }) => [one.path, one.status]);
      };
      assert.deepEqual(await events('hello'), [['/before', 200]]);
      await device.carryOut('call', { ...call, path: '/after' });
      assert.deepEqual(await events('calls'), [['/after', 200]]);
      const closed = once(response, 'close');
      await device.stop();
      await closed;
      assert.equal(device.listenerCount('call'), 0);
      server.close();
    }));
});
