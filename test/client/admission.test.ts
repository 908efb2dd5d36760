import assert from 'node:assert/strict';
import https from 'node:https';
import type net from 'node:net';
import { Failure } from '../../src/client/failure';
import { Abort } from '../../src/client/queue/entry';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture, failureOf, unlock } from '../fixtures/client-fixture';

/** Lets it be written once, and is over from then on. */
function once(): Abort {
  const abort = new Abort();
  let asked = 0;
  abort.admission = () => {
    asked += 1;
    return asked === 1 ? Promise.resolve() : Promise.reject(Failure.own('EXPIRED', 'its time was over'));
  };
  return abort;
}

/** Its time is over from the beginning. */
function never(): Abort {
  const abort = new Abort();
  abort.admission = () => Promise.reject(Failure.own('EXPIRED', 'its time was over'));
  return abort;
}

describe('client: somebody else has a say in whether it may be written', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  it('signs again, after its time too, what a device with another clock has not taken', async () => {
    const address = await fixture.http((_seen, response) => {
      const isFirst = fixture.seen.length === 1;
      response.writeHead(isFirst ? 401 : 200, { date: 'Mon, 28 Sep 2020 17:07:18 GMT' }).end();
    });
    const { statusCode, attempts } = await fixture.client(address).call(unlock, {}, {}, once());
    assert.deepEqual([statusCode, attempts], [200, 2]);
  });

  it('writes nothing where it may not be', async () => {
    const address = await fixture.http((_seen, response) => response.end());
    const error = await failureOf(fixture.client(address).call(unlock, {}, {}, never()));
    assert.deepEqual([error.code, error.outcome, error.attempts], ['EXPIRED', 'expired', 0]);
    assert.deepEqual(fixture.seen, []);
  });

  it('says why it was not sent in time where it was tried before', async () => {
    const server = https.createServer({ ...(await makeCertificate()) }, (_request, response) =>
      response.end(),
    );
    server.once('connection', (socket: net.Socket) => socket.destroy());
    const client = fixture.client(`https://${await fixture.listen(server)}`, { certificate: 'any' });
    const error = await failureOf(client.call(unlock, {}, { retryForMs: 60_000 }, never()));
    assert.deepEqual([error.code, error.outcome, error.attempts], ['UNREACHABLE', 'failed', 0]);
  });
});
