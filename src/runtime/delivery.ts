import type { Operation } from '../catalogue/operation';
import { DeviceError } from '../client/errors';
import type { Device } from './device';
import type { Identity } from './identity';
import { type Receipt, responseOf } from './receipt';
import { dependsOnIdentity, lackOf } from './support';
import type { Target } from './targets';

export type Parameters = Readonly<Record<string, unknown>>;

/** What a message asks for, checked. */
export interface Plan {
  readonly operation: Operation;
  readonly parameters: Parameters;
}

/** What one node does by hand, where the document asks for something that data cannot say. */
export interface ActionHooks {
  /**
   * The parameters as this device wants them.
   * @throws DeviceError when there are none it could want
   */
  adapt?(plan: Plan, device: Device, identity: Identity): Parameters;
  /** Told when a device has taken an operation on. */
  done?(plan: Plan, device: Device): void;
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
  hooks: ActionHooks,
  signal: AbortSignal,
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
    const answer = await send(target.device, deed, plan, hooks, signal);
    const { attempts, statusCode, body } = answer;
    const receipt = { ...facts(), outcome: 'accepted', attempts, statusCode, ...responseOf(body) } as const;
    return { receipt, body };
  } catch (error) {
    return { receipt: { ...facts(), ...failureOf(deed, asDeviceError(deed, error)) } };
  }
}

/** A model that lacks what is asked for: skipped when others can do it. */
class ModelLacks extends DeviceError {}

async function send(device: Device, deed: string, plan: Plan, hooks: ActionHooks, signal: AbortSignal) {
  const { operation } = plan;
  await device.check();
  refuseLack(device, deed, operation, plan.parameters, device.knownIdentity);
  const mustAsk =
    !operation.urgent && !device.letDeviceDecide && dependsOnIdentity(operation, plan.parameters);
  const identity = mustAsk ? await device.identity() : device.knownIdentity;
  const parameters = hooks.adapt?.(plan, device, identity) ?? plan.parameters;
  refuseLack(device, deed, operation, parameters, identity);
  const answer = await device.call(operation, parameters, { signal, deed });
  hooks.done?.(plan, device);
  return answer;
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
function asDeviceError(deed: string, error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DeviceError('PROTOCOL', `${deed}: a fault in this package: ${reason}`, {
    cause: error,
    outcome: 'unknown',
  });
}
