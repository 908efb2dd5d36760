import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import { VirtualDevice } from '../../src/virtual-device/device';
import { books } from '../contract';
import { equipment, look, partsOf, shown, traceOf } from '../contract/traces';
import type { Device, Request, Transcript } from '../contract/transcript';
import { password, send, splitLine } from '../contract/wire';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';

type Asked = Transcript & { readonly ask: NonNullable<Transcript['ask']> };

const asked = Object.values(books)
  .flat()
  .flatMap((transcript): Asked[] => (transcript.ask ? [{ ...transcript, ask: transcript.ask }] : []));
const sent = asked.flatMap((one) => (one.request ? [{ ...one, request: one.request }] : []));
const refused = asked.flatMap((one) => (one.refusal ? [{ ...one, refusal: one.refusal }] : []));

/** A node of each kind that takes everything from the message, and the device that it is told to. */
function flowFor(address: string, { model, firmware }: Device): NodeConfig[] {
  const device = { id: 'device', type: 'algo-device', name: 'The device', address, model, firmware };
  const nodes = everyGroup.map(({ resource }) => ({
    id: resource,
    type: `algo-${resource}`,
    target: 'device',
    device: 'device',
    operation: 'msg',
    parametersType: 'msg',
    parameters: 'payload',
  }));
  return [device, ...nodes];
}

function messageOf({
  ask: { operation, parameters },
}: Asked): [node: string, message: Record<string, unknown>] {
  const [resource = '', id] = operation.split('/');
  return [resource, { operation: id, payload: parameters }];
}

/** The body as the virtual device logs it: of the calls in a schedule, only method, target and path. */
function noted(request: Request): unknown {
  const withoutRest = (name: string, value: unknown) =>
    name === 'api_call'
      ? (value as Record<string, unknown>[]).map(({ method, target, path }) => ({ method, target, path }))
      : value;
  if (request.parts) return 'a form';
  if (request.json !== undefined) return JSON.parse(JSON.stringify(request.json, withoutRest));
  if (!request.body) return undefined;
  if (request.type === 'application/json') return JSON.parse(request.body.toString(), withoutRest);
  return { type: request.type ?? 'application/octet-stream', bytes: request.body.length };
}

async function withDevice(device: Device, use: (device: VirtualDevice, address: string) => Promise<void>) {
  const virtual = new VirtualDevice({ ...device, ...equipment, auth: 'standard', password });
  const address = await virtual.start();
  try {
    await use(virtual, address);
  } finally {
    await stopFlow();
    await virtual.stop();
  }
}

const credentials = { device: { password } };

describe('one message through a real Node-RED to a virtual device', () => {
  for (const one of sent) {
    it(`${one.ask.operation} on ${one.device.model} with ${one.device.firmware}: ${one.title}`, () =>
      withDevice(one.device, async (device, address) => {
        for (const earlier of one.before ?? []) await send(address, earlier);
        const before = device.log.length;
        const idle = look(device);
        await startFlow(flowFor(address, one.device), credentials);
        const { sent: messages, caught } = await ask(...messageOf(one));
        assert.deepEqual(
          caught.map(({ error }) => error?.message),
          [],
        );
        const [message] = messages;
        const receipts = message?.receipts?.map(({ operation, outcome }) => ({ operation, outcome }));
        assert.deepEqual(receipts, [{ operation: one.ask.operation, outcome: 'accepted' }]);

        const written = device.log.slice(before).map(({ method, path, outcome, parameters }) => ({
          method,
          path,
          outcome,
          parameters: one.request.parts ? 'a form' : parameters,
        }));
        const expected = { ...splitLine(one.request.line), outcome: 'done', parameters: noted(one.request) };
        assert.deepEqual(written, [expected]);
        const trace = traceOf(one);
        if (trace) {
          assert.notDeepEqual(partsOf(idle, trace), trace, 'this was to be seen before');
          assert.deepEqual(await shown(device, trace), trace, 'what is to be seen');
        }

        const { json, text, body, varies, words } = one.answer ?? {};
        if (!varies && !words) assert.deepEqual(message?.payload, json ?? text ?? body ?? one.ask.parameters);
      }));
  }
});

describe('what is refused, through a real Node-RED', () => {
  const devices = new Map<string, Asked['device']>();
  for (const { device } of refused) devices.set(`${device.model} with ${device.firmware}`, device);

  for (const [name, device] of devices) {
    const those = refused.filter(
      (one) => one.device.model === device.model && one.device.firmware === device.firmware,
    );
    it(`${those.length} messages to the ${name} leave nothing on the wire`, () =>
      withDevice(device, async (virtual, address) => {
        await startFlow(flowFor(address, device), credentials);
        for (const one of those) {
          const { sent: messages, caught } = await ask(...messageOf(one));
          const { code, field = '', mentions = [] } = one.refusal;
          assert.equal(messages.length, 0, one.title);
          assert.deepEqual(
            caught.map(({ error }) => error?.code),
            [code],
            one.title,
          );
          const [receipt] = caught[0]?.receipts ?? [];
          assert.equal(receipt?.attempts, 0, one.title);
          assert.equal(receipt?.error?.code, code, one.title);
          const sentence = String(caught[0]?.error?.message);
          const missing = [field, ...mentions].filter((words) => !sentence.includes(words));
          assert.deepEqual(missing, [], `${one.title}: ${sentence}`);
          assert.deepEqual(virtual.log, [], one.title);
        }
      }));
  }
});
