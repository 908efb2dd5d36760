import assert from 'node:assert/strict';
import { EventEmitter, getEventListeners, once } from 'node:events';
import type { DeviceClient } from '../../src/client/client';
import { ClientFixture, failureOf, libraries, lock, munlock, unlock } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { wording, wordingIn } from '../fixtures/wording';

for (const library of libraries) {
  describe(`client: order and aborts (${library})`, () => {
    const fixture = new ClientFixture(library);
    afterEach(() => fixture.clear());

    it('has one request in flight, in the order of the calls', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      const calls = ['1', '2', '3'].map((duration) => client.call(munlock, { duration }));
      for (const duration of ['1', '2', '3']) {
        const seen = gate.held.length > 0 ? fixture.seen.at(-1) : await gate.next();
        assert.deepEqual(JSON.parse(String(seen?.body)), { duration });
        assert.equal(gate.held.length, 1);
        gate.release();
        await calls[Number(duration) - 1];
      }
      assert.equal(fixture.connections, 1);
    });

    it('passes ordinary requests with what is urgent, over one more connection and no third', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      const far = { doorid: 'netdc1' };
      const near = { doorid: 'local' };
      const calls = [client.call(unlock, far), client.call(unlock, far)];
      calls.push(client.call(lock, near), client.call(lock, near));
      while (gate.held.length < 2) await gate.next();
      gate.release(1);
      await calls[2];
      while (gate.held.length < 2) await gate.next();
      const paths = () => fixture.seen.map(({ url }) => url?.split('/').at(-1));
      assert.deepEqual(paths(), ['unlock', 'lock', 'lock']);
      gate.release(1);
      await calls[3];
      gate.release();
      await calls[0];
      if (gate.held.length === 0) await gate.next();
      gate.release();
      await calls[1];
      assert.deepEqual(paths(), ['unlock', 'lock', 'lock', 'unlock']);
      assert.equal(fixture.connections, 2);
    });

    it('has one connection for calls one after the other, and keeps two once there were two at a time', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      for (const operation of [unlock, lock, unlock]) {
        const call = client.call(operation);
        await gate.next();
        gate.release();
        await call;
      }
      assert.equal(fixture.connections, 1);
      for (let round = 0; round < 3; round += 1) {
        const calls = [client.call(unlock), client.call(lock)];
        while (gate.held.length < 2) await gate.next();
        gate.release();
        gate.release();
        await Promise.all(calls);
      }
      assert.equal(fixture.connections, 2);
    });

    it('measures the answer from the sending, not from the call', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond), { timeoutMs: 5_000 });
      const first = client.call(unlock);
      await gate.next();
      const second = client.call(unlock, {}, { timeoutMs: 60 });
      // Another request runs out of a longer time meanwhile.
      const silent = fixture.client(await fixture.http(() => {}), { timeoutMs: 120 });
      assert.equal((await failureOf(silent.call(unlock))).code, 'TIMEOUT');
      gate.release();
      await first;
      if (gate.held.length === 0) await gate.next();
      gate.release();
      assert.equal((await second).attempts, 1);
    });

    it('can be given another time limit per call', async () => {
      const client = fixture.client(await fixture.http(() => {}), { timeoutMs: 60_000 });
      const { reason } = await failureOf(client.call(unlock, {}, { timeoutMs: 30 }));
      assert.equal(reason, wording('reasons:noAnswerWithin', { seconds: '0.03' }));
    });

    it('takes limits that no timer can hold', async () => {
      const client = fixture.client(await fixture.http((_seen, response) => response.end()), {
        timeoutMs: 2 ** 40,
      });
      assert.equal((await client.call(unlock)).statusCode, 200);
    });

    it('aborts what was sent: unknown', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      const abort = new AbortController();
      const call = failureOf(client.call(unlock, {}, { signal: abort.signal }));
      await gate.next();
      abort.abort();
      const error = await call;
      assert.equal(error.code, 'ABORTED');
      assert.equal(error.outcome, 'unknown');
      assert.equal(error.sent, true);
      assert.equal(error.attempts, 1);
      assert.equal(error.reason, wording('reasons:canceled'));
      assert.match(error.message, wordingIn('reasons:mightBeDone'));
      await fixture.disconnected();
    });

    it('aborts what waits, and what was never begun: failed', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      const first = client.call(unlock);
      await gate.next();
      const abort = new AbortController();
      const waiting = failureOf(client.call(unlock, {}, { signal: abort.signal }));
      const behind = client.call(munlock);
      abort.abort();
      for (const error of [
        await waiting,
        await failureOf(client.call(unlock, {}, { signal: abort.signal })),
      ]) {
        assert.equal(error.code, 'ABORTED');
        assert.equal(error.outcome, 'failed');
        assert.equal(error.sent, false);
        assert.equal(error.attempts, 0);
      }
      gate.release();
      await first;
      if (gate.held.length === 0) await gate.next();
      gate.release();
      await behind;
      assert.equal(fixture.seen.length, 2);
    });

    it('aborts while connecting', async () => {
      const accepted = new EventEmitter();
      const address = `https://${await fixture.tcp(() => accepted.emit('connection'))}`;
      const ends = {
        canceled: (_client: DeviceClient, abort: AbortController) => abort.abort(),
        closedMeanwhile: (client: DeviceClient) => client.close(),
      };
      for (const [reason, end] of Object.entries(ends)) {
        const abort = new AbortController();
        const client = fixture.client(address);
        const call = failureOf(client.call(unlock, {}, { signal: abort.signal }));
        await once(accepted, 'connection');
        await end(client, abort);
        const { code, outcome, sent, message } = await call;
        assert.deepEqual({ code, outcome, sent }, { code: 'ABORTED', outcome: 'failed', sent: false });
        assert.match(message, wordingIn(`reasons:${reason}`));
        await fixture.disconnected();
      }
    });

    it('leaves no listener on a signal that outlives the calls', async () => {
      const client = fixture.client(await fixture.http((_seen, response) => response.end()));
      const { signal } = new AbortController();
      await client.call(unlock, {}, { signal });
      await client.call(lock, {}, { signal });
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    });

    it('closes: everything under way is aborted, and no socket is left', async () => {
      const gate = new ResponseGate();
      const client = fixture.client(await fixture.http(gate.respond));
      const settled: string[] = [];
      const note = (name: string) => (error: { code: string; outcome: string }) =>
        settled.push(`${name} ${error.code} ${error.outcome}`);
      const calls = [failureOf(client.call(munlock)).then(note('sent'))];
      await gate.next();
      calls.push(failureOf(client.call(unlock)).then(note('waiting')));
      calls.push(failureOf(client.call(lock)).then(note('urgent')));
      await gate.next();
      await client.close();
      await Promise.all(calls);
      assert.deepEqual(settled.sort(), [
        'sent ABORTED unknown',
        'urgent ABORTED unknown',
        'waiting ABORTED failed',
      ]);
      await fixture.disconnected();
      assert.equal((await failureOf(client.call(unlock))).code, 'ABORTED');
      assert.equal(fixture.connections, 2);
      await client.close();
      const idle = fixture.client(await fixture.http((_seen, response) => response.end()));
      await Promise.all([idle.call(unlock), idle.call(lock)]);
      await idle.close();
      await fixture.disconnected();
    });
  });
}
