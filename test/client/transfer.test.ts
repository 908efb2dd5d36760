import assert from 'node:assert/strict';
import { files } from '../../src/catalogue/files';
import type { Operation } from '../../src/catalogue/operation';
import { ClientFixture, failureOf } from '../fixtures/client-fixture';
import { md5 } from '../fixtures/signing';

const megabyte = 1024 * 1024;
const file = Buffer.alloc(3 * megabyte, 'abcdefg');
const path = 'tones/long.wav';

function operation(id: string): Operation {
  return files.operations.find((one) => one.id === id) ?? assert.fail(`there is no ${id}`);
}

describe('client: long transfers', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  it('sends a long body whole, with its length, and tells how far it is', async () => {
    const client = fixture.client(await fixture.http((_seen, response) => response.end()));
    const told: number[] = [];
    const onProgress = (bytes: number, all?: number) => {
      assert.equal(all, file.length);
      told.push(bytes);
    };
    await client.call(operation('put'), { path, content: file }, { onProgress });
    const seen = fixture.seen[0] ?? assert.fail();
    assert.ok(seen.body.equals(file));
    assert.equal(seen.headers['content-length'], String(file.length));
    assert.equal(seen.headers['content-md5'], md5(file));
    assert.ok(told.length > 10, `${told.length} reports`);
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    );
    assert.equal(told.at(-1), file.length);
  });

  it('tells how far a long answer is', async () => {
    const client = fixture.client(await fixture.http((_seen, response) => response.end(file)));
    const told: number[] = [];
    const onProgress = (bytes: number) => void told.push(bytes);
    const { body } = await client.call(operation('get'), { path }, { onProgress });
    assert.ok(Buffer.isBuffer(body) && body.equals(file));
    assert.ok(told.length > 2);
    assert.equal(told.at(-1), file.length);
  });

  it('gives an operation the time that it needs, whatever the device node says', async () => {
    // One is never answered, the other one later than the limit of the device node.
    const address = await fixture.http(({ url }, response) => {
      if (url.endsWith('late')) setTimeout(() => response.end('{"md5sum":""}'), 100);
    });
    const hasty = fixture.client(address, { timeoutMs: 30 });
    const never = hasty.call({ ...operation('md5sum'), minTimeoutMs: 0 }, { path: 'never' });
    assert.equal((await failureOf(never)).code, 'TIMEOUT');
    const patient = { ...operation('md5sum'), minTimeoutMs: 60_000 };
    assert.equal((await hasty.call(patient, { path: 'late' })).statusCode, 200);
  });
});
