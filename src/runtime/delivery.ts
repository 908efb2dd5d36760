import type { Operation, Option } from '../catalogue/operation';
import type { Answer, CallOptions } from '../client/client';
import { DeviceError } from '../client/errors';
import { carryOut } from './carry-out';
import type { Device } from './device';
import type { Identity } from './identity';
import { optionsOf } from './options';
import { transferProgress } from './progress';
import { type Receipt, responseOf } from './receipt';
import { dependsOnIdentity, lackOf } from './support';
import type { Target } from './targets';
import type { Done, Work } from './work';

export type Parameters = Readonly<Record<string, unknown>>;

/** What a message asks for, checked. */
export interface Plan {
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly note?: undefined;
}

/** The parameters as one device wants them, and what a person should know about the difference. */
export interface Adapted {
  readonly parameters: Parameters;
  readonly note?: string;
}

/** What one node does by hand, where the document asks for something that data cannot say. */
export interface ActionHooks {
  /**
   * The parameters as this device wants them.
   * @throws DeviceError when there are none it could want
   */
  adapt?(plan: Plan, device: Device, identity: Identity): Adapted;
  /** Sends the request, where it is not the operation's own route. */
  send?(plan: Plan, device: Device, options: CallOptions): Promise<Answer>;
  /** Told when a device has taken an operation on. */
  done?(plan: Plan, device: Device): void;
  /** Keys of the node's locale for the status after a success, by operation, where it needs more words. */
  readonly acceptedStatus?: Readonly<Record<string, string>>;
}

/** What the messages of one node share on their way to a device. */
export interface Sending {
  readonly hooks: ActionHooks;
  readonly signal: AbortSignal;
  /** The node's properties: its options are among them. */
  readonly properties: { readonly [name in Option]?: unknown };
  /** Says in the node's status how far it is. */
  progress(text: string): void;
}

/** What one target did with a message. */
export interface Delivery {
  readonly receipt: Receipt;
  /** The device's answer, when there was one. */
  readonly body?: unknown;
}

/**
 * Does at one target what a message asks for, or says why not. Never rejects: whatever goes wrong is in the
 * receipt.
 * @param deed for example `door/unlock`
 * @param plan the error that keeps the message from being sent anywhere, or what to send
 */
export async function deliver(
  target: Target,
  deed: string,
  plan: Plan | DeviceError,
  sending: Sending,
): Promise<Delivery> {
  const started = performance.now();
  const facts = () => ({
    device: target.device ? target.device.name : target.asked,
    address: target.device?.address ?? '',
    operation: deed,
    latencyMs: Math.round(performance.now() - started),
    at: new Date().toISOString(),
  });
  try {
    if (!target.device) throw target.error;
    if (plan instanceof DeviceError) throw plan;
    const { answer, outcome, note } = await send(target.device, deed, plan, sending);
    const { attempts, statusCode, body } = answer;
    const said = { outcome, attempts, statusCode, ...responseOf(body), ...(note && { note }) };
    return { receipt: { ...facts(), ...said }, body };
  } catch (error) {
    const failure = asDeviceError(deed, error, sending.signal);
    return { receipt: { ...facts(), ...failureOf(deed, failure) } };
  }
}

/** A model that lacks what is asked for: skipped when others can do it. */
class ModelLacks extends DeviceError {}

async function send(device: Device, deed: string, plan: Plan, sending: Sending): Promise<Done> {
  const { operation } = plan;
  const { hooks, signal, properties } = sending;
  await device.check();
  refuseLack(device, deed, operation, plan.parameters, device.knownIdentity);
  const mustAsk =
    !operation.urgent && !device.letDeviceDecide && dependsOnIdentity(operation, plan.parameters);
  const identity = mustAsk ? await unlessClosed(device.identity(), deed, signal) : device.knownIdentity;
  const { parameters, note } = hooks.adapt?.(plan, device, identity) ?? plan;
  refuseLack(device, deed, operation, parameters, identity);
  const adapted = { operation, parameters };
  const options = optionsOf(properties, operation);
  const progress = (text: string) => sending.progress(`${operation.id} ${text}`);
  const work: Work = { device, deed, ...adapted, options, signal, progress };
  const callOptions = { signal, deed, onProgress: transferProgress(progress) };
  const done = await carryOut(work, () =>
    hooks.send ? hooks.send(adapted, device, callOptions) : device.call(operation, parameters, callOptions),
  );
  hooks.done?.(plan, device);
  return note ? { ...done, note: [note, done.note].filter(Boolean).join('; ') } : done;
}

/** Waits for what others wait for too, but no longer than this node lives. */
function unlessClosed<T>(promise: Promise<T>, deed: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () =>
      reject(new DeviceError('ABORTED', `${deed}: the node was closed meanwhile; nothing was sent`));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function refuseLack(
  device: Device,
  deed: string,
  operation: Operation,
  parameters: Parameters,
  identity: Identity,
): void {
  const lack = device.letDeviceDecide ? undefined : lackOf(operation, parameters, identity);
  if (!lack) return;
  const sentence = `${deed} at "${device.name}": ${lack.sentence}; nothing was sent`;
  throw new (lack.because === 'model' ? ModelLacks : DeviceError)('NOT_SUPPORTED', sentence);
}

function failureOf(deed: string, error: DeviceError): Pick<Receipt, 'outcome' | 'attempts' | 'error'> {
  const { code, attempts, statusCode, response } = error;
  // What is wrong with a device or a name is found by who knows nothing of what was to be done.
  const message = error.message.startsWith(deed) ? error.message : `${deed}: ${error.message}`;
  return {
    outcome: error instanceof ModelLacks ? 'skipped' : error.outcome,
    attempts,
    ...(statusCode !== undefined && { statusCode }),
    ...responseOf(response),
    error: { code, message },
  };
}

/** A fault of our own must not look like the device's, and must not vanish either. */
function asDeviceError(deed: string, error: unknown, signal: AbortSignal): DeviceError {
  if (error instanceof DeviceError) return error;
  if (signal.aborted) {
    const sentence = `${deed}: the node was closed meanwhile; it may have been done`;
    return new DeviceError('ABORTED', sentence, { outcome: 'unknown', cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new DeviceError('PROTOCOL', `${deed}: a fault in this package: ${reason}`, {
    cause: error,
    outcome: 'unknown',
  });
}
