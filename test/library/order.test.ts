import assert from 'node:assert/strict';
import { operation } from '../../src/library';
import { failureOf } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { LibraryFixture } from './library-fixture';

describe("the library's clients", () => {
  const fixture = new LibraryFixture();

  afterEach(() => fixture.clear());

  describe('the order', () => {
    it('is that of the calls, one request at a time', async () => {
      const gate = new ResponseGate();
      const client = fixture.program({ address: await fixture.http(gate.respond), auth: 'none' });
      const calls = [1, 2, 3].map((duration) =>
        client.call(operation('door/munlock'), { doorid: 'local', duration }),
      );
      for (const call of calls) {
        if (!gate.held[0]) await gate.next();
        assert.equal(gate.held[1], undefined);
        gate.release();
        await call;
      }
      assert.deepEqual(
        fixture.seen.map(({ body }) => JSON.parse(String(body)).duration),
        ['1', '2', '3'],
      );
    });

    it('lets a stop take out the starts that wait, and wait for the one that is under way', async () => {
      const gate = new ResponseGate();
      const client = fixture.program({ address: await fixture.http(gate.respond), auth: 'none' });
      const start = (file: string) => client.call(operation('tone/start'), { path: file, loop: true });
      const first = start('bell1-na.wav');
      await gate.next();
      const second = start('chime.wav');
      const stop = client.call(operation('tone/stop'));
      assert.equal((await failureOf(second)).code, 'SUPERSEDED');
      assert.equal(gate.held[1], undefined);
      gate.release();
      await first;
      if (!gate.held[0]) await gate.next();
      gate.release();
      await stop;
      assert.deepEqual(
        fixture.seen.map(({ url }) => url),
        ['/api/controls/tone/start', '/api/controls/tone/stop'],
      );
    });
  });

  describe('closing', () => {
    it('ends what is under way and what comes, and leaves no socket', async () => {
      const gate = new ResponseGate();
      const client = fixture.program({ address: await fixture.http(gate.respond), auth: 'none' });
      const call = client.call(operation('info/about'));
      await gate.next();
      const [error] = await Promise.all([failureOf(call), client.close()]);
      assert.equal(error.code, 'ABORTED');
      await fixture.disconnected();
      assert.equal((await failureOf(client.call(operation('info/about')))).code, 'ABORTED');
      assert.equal((await failureOf(client.send({ method: 'GET', path: '/' }))).code, 'ABORTED');
    });

    it('can be left to the language', async () => {
      const address = await fixture.http((_seen, response) => response.end('{}'));
      const client = fixture.program({ address, auth: 'none' });
      await client.call(operation('info/about'));
      await client[Symbol.asyncDispose]();
      await fixture.disconnected();
      assert.equal((await failureOf(client.call(operation('info/about')))).code, 'ABORTED');
    });
  });
});
