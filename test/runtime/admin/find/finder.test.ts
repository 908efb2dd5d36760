import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net from 'node:net';
import { Finder } from '../../../../src/runtime/admin/find/finder';
import type { AdminRequest } from '../../../../src/runtime/lazy';
import { HoldingServer } from '../../../fixtures/holding-server';
import { end, listen } from '../../../fixtures/listening';

describe('a search for devices', () => {
  it('is not begun for somebody who has gone meanwhile', async () => {
    const holder = new HoldingServer();
    const range = `127.0.0.1-3:${await holder.start()}`;
    const finder = new Finder();
    const server = createServer(async (request, response) => {
      if (!response.destroyed) await once(response, 'close');
      await finder.answer(Object.assign(request, { body: { range } }) as unknown as AdminRequest, response);
      server.emit('answered');
    });
    const place = new URL(`http://${await listen(server)}`);
    const socket = net.connect(Number(place.port), place.hostname);
    socket.write('POST / HTTP/1.1\r\nHost: red\r\nContent-Length: 0\r\n\r\n');
    await once(server, 'request');
    const answered = Promise.race([once(server, 'answered'), holder.until(() => holder.total > 0)]);
    socket.destroy();
    await answered;
    assert.equal(holder.total, 0);
    await holder.stop();
    await end(server);
  });
});
