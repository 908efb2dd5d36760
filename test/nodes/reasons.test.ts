import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { end, listen, quietPort } from '../fixtures/listening';
import { door, local, only } from './door';

interface ReceiptError {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
}

describe('the reason of a receipt', () => {
  let server: Server | undefined;

  afterEach(async () => {
    await stopFlow();
    if (server) await end(server);
    server = undefined;
  });

  const gate = (address: string, more: Record<string, unknown> = {}): NodeConfig => ({
    id: 'gate',
    type: 'algo-device',
    name: 'Gate',
    address,
    auth: 'none',
    letDeviceDecide: true,
    ...more,
  });

  async function failureAt(device: NodeConfig): Promise<ReceiptError> {
    await startFlow([device, door('unlock', local)], { gate: { password: 'wrong' } });
    const { caught } = await ask('door');
    const receipt = only(caught[0]?.receipts);
    const error = receipt.error as ReceiptError | undefined;
    assert.ok(error, JSON.stringify(receipt));
    assert.equal(typeof error.reason, 'string', JSON.stringify(receipt));
    assert.equal(caught[0]?.error?.message, `DeviceError: ${error.message}`);
    return error;
  }

  async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
    server = createServer(listener as never);
    return `http://${await listen(server)}`;
  }

  it('says that the device refuses connections, and on which port', async () => {
    const port = await quietPort();
    const { reason, message } = await failureAt(gate(`http://127.0.0.1:${port}`, { timeout: '1' }));
    assert.equal(reason, `connection refused on port ${port}`);
    assert.equal(
      message,
      `${reason}: door/unlock at "Gate" (http://127.0.0.1:${port}); is the device on and is the address correct?`,
    );
  });

  it('says how long a device did not answer', async () => {
    const address = await serve(() => {});
    const { reason, message } = await failureAt(gate(address, { timeout: '1' }));
    assert.equal(reason, 'no answer within 1 s');
    assert.ok(message.startsWith(`${reason}: door/unlock at "Gate" (${address})`), message);
  });

  it('names the causes of a rejected login', async () => {
    const address = await serve((_, response) => void response.writeHead(401).end('{"error":"Gate"}'));
    const { reason, message } = await failureAt(gate(address, { auth: 'standard' }));
    assert.equal(reason, 'wrong password, method or clock');
    assert.ok(message.startsWith(`${reason}: door/unlock at "Gate" (${address})`), message);
  });

  it('names the model that lacks the operation', async () => {
    const device = gate('http://127.0.0.1', { model: '8128', letDeviceDecide: false });
    const { reason, message } = await failureAt(device);
    assert.equal(reason, 'not supported by the 8128');
    assert.ok(message.startsWith(`${reason}: door/unlock at "Gate"`), message);
  });

  it('has no words of the device, which the sentence has', async () => {
    const words = `Gate door/unlock REFUSED ${'long '.repeat(40)}`;
    const address = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: words }));
    });
    const { reason, message } = await failureAt(gate(address));
    assert.equal(reason, 'rejected by the device');
    assert.match(message, /Gate door\/unlock REFUSED long/);
  });
});
