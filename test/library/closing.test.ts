import assert from 'node:assert/strict';
import { operation } from '../../src/library';
import { failureOf } from '../fixtures/client-fixture';
import { ResponseGate } from '../fixtures/response-gate';
import { LibraryFixture } from './library-fixture';

describe('closing a client of the library', () => {
  const fixture = new LibraryFixture();

  afterEach(() => fixture.clear());

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
