import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
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
      const error = await failureOf(client.call(unlock, {}, { timeoutMs: 30, operationName: 'door/unlock' }));
      assert.equal(
        error.message,
        wording('reasons:next', {
          before: wording('reasons:atPlace', {
            operation: 'door/unlock',
            place: `"Main entrance" (${client.address})`,
            reason: wording('reasons:noAnswerWithin', { seconds: '0.03' }),
          }),
          next: wording('reasons:mightBeDone'),
        }),
      );
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
      const address = await fixture.tcp(() => accepted.emit('connection'));
      const client = fixture.client(`https://${address}`);
      const abort = new AbortController();
      const call = failureOf(client.call(unlock, {}, { signal: abort.signal }));
      await once(accepted, 'connection');
      abort.abort();
      const error = await call;
      assert.equal(error.code, 'ABORTED');
      assert.equal(error.sent, false);
      await fixture.disconnected();
    });

    it('leaves no listener on a signal that outlives the calls', async () => {
      const client = fixture.client(await fixture.http((_seen, response) => response.end()));
      const { signal } = new AbortController();
      let listeners = 0;
      const counting = Object.create(signal) as AbortSignal;
      Object.defineProperty(counting, 'aborted', { value: false });
      counting.addEventListener = () => {
        listeners += 1;
      };
      counting.removeEventListener = () => {
        listeners -= 1;
      };
      await client.call(unlock, {}, { signal: counting });
      await client.call(lock, {}, { signal: counting });
      assert.equal(listeners, 0);
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
    });

    it('closes while connecting, and while idle', async () => {
      const accepted = new EventEmitter();
      const silent = fixture.client(`https://${await fixture.tcp(() => accepted.emit('connection'))}`);
      const call = failureOf(silent.call(unlock));
      await once(accepted, 'connection');
      await silent.close();
      assert.equal((await call).code, 'ABORTED');
      assert.match((await call).message, wordingIn('reasons:closedMeanwhile'));
      const idle = fixture.client(await fixture.http((_seen, response) => response.end()));
      await idle.call(unlock);
      await idle.call(lock);
      await idle.close();
      await fixture.disconnected();
    });
  });
}
