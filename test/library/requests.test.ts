import assert from 'node:assert/strict';
import { failureOf } from '../fixtures/client-fixture';
import { LibraryFixture } from './library-fixture';

describe("the library's requests that no operation has", () => {
  const fixture = new LibraryFixture();

  afterEach(() => fixture.clear());

  it('is signed, and takes an object, a text or a Buffer', async () => {
    const { device, client } = await fixture.door();
    const { statusCode } = await client.send({
      method: 'POST',
      path: '/api/controls/door/lock',
      body: { doorid: 'local' },
    });
    assert.equal(statusCode, 200);
    assert.deepEqual(device.log[0]?.parameters, { doorid: 'local' });
    const { body } = await client.send({ method: 'GET', path: '/api/info/about' });
    assert.match(JSON.stringify(body), /8063/);
  });

  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const [title, request, sentence] of [
    ['nothing', undefined, /request must be an object/],
    ['another host', { method: 'GET', path: '//192.0.2.9/x' }, /path/],
    ['a method that there is not', { method: 'PATCH', path: '/x' }, /method/],
    ['a misspelt part', { method: 'POST', path: '/x', bdy: {} }, /bdy/],
    ['what JSON cannot hold', { method: 'POST', path: '/x', body: circle }, /JSON/],
  ] as const) {
    it(`is refused before anything is sent: ${title}`, async () => {
      const { device, client } = await fixture.door();
      const send = client.send.bind(client) as (request: unknown) => Promise<unknown>;
      const error = await failureOf(send(request));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.match(error.message, sentence);
      assert.deepEqual(device.log, []);
    });
  }
});
