import type { NodeAPI } from 'node-red';
import { isAcceptable, normalized } from '../../catalogue/formats';
import type { Finding, Offers, Tried } from '../answers';
import { deviceById } from '../device/registry';
import { isUnresolved, type Reaching, withoutLogin } from '../device/settings';
import { surroundingsOf } from '../device/surroundings';
import { findTargets } from '../device/targets';
import type { AdminRequest } from '../lazy';
import { isAsDeployed, passwordFor, readDialog, textIn } from './dialog-values';
import { offersOf } from './offers';
import { tryOut } from './trial';
import { tryOnce } from './try-once';

interface DeviceNode {
  /** Returns the stored settings and the password. Absent for a node of another type. */
  reaching?(): Reaching;
}

/**
 * Whether the dialog shows the deployed settings. A test then sends requests only to the deployed address.
 */
export function isOfDeployed(RED: NodeAPI, body: unknown): boolean {
  const { typed, deployed } = askedFor(RED, body);
  return isAsDeployed(typed, deployed);
}

function askedFor(RED: NodeAPI, body: unknown) {
  const { id } = Object(body) as { id?: unknown };
  const node = RED.nodes.getNode(textIn(id)) as (DeviceNode & Parameters<typeof surroundingsOf>[1]) | null;
  const deployed = node?.reaching?.();
  const resolve = (value: string) => resolved(RED, value, deployed && node);
  return { node: deployed && node, deployed, resolve, typed: readDialog(body, resolve) };
}

export async function answerTrial(RED: NodeAPI, { body }: AdminRequest): Promise<Finding> {
  const { node, deployed, resolve, typed } = askedFor(RED, body);
  const { properties } = typed;
  const name = String(node?.name || withoutLogin(String(properties.address ?? '')) || properties.virtual);
  const { tlsOptions, endpoint } = surroundingsOf(RED, {} as never, properties);
  const password = passwordFor(typed, deployed, resolve);
  // If the dialog shows the deployed settings, the deployed device also gets the identity that the test
  // reads.
  const device = isAsDeployed(typed, deployed) ? deviceById(typed.id) : undefined;
  const surroundings = { tlsOptions, endpoint, environment: {} };
  return tryOut(name, properties, password, surroundings, (about) => device?.recognition.record(about));
}

/**
 * Returns suggestions of deployed devices only: a user who may read deployed devices may see the suggested
 * values. A request selects devices like a node: by `target` and by `device`, `group` or `targets`.
 */
export async function answerOffers(_RED: NodeAPI, { body }: AdminRequest): Promise<Offers | undefined> {
  const { what, folder, ...target } = Object(body) as Readonly<Record<string, unknown>>;
  const devices = findTargets(target, {}).list.flatMap(({ device }) => device ?? []);
  return offersOf(devices, textIn(what), folderOf(folder));
}

/** Returns the folder of a request; `tones` if the folder is invalid. */
function folderOf(folder: unknown): string {
  const text = normalized('folder-path', textIn(folder));
  return isAcceptable('folder-path', text) ? text : 'tones';
}

/**
 * Returns the value of the environment variable that a text names. Any other text, and the name of a variable
 * without a value, is returned unchanged.
 */
function resolved(RED: NodeAPI, value: string, node: unknown): string {
  if (!isUnresolved(value)) return value;
  const found: unknown = RED.util.evaluateNodeProperty(value.slice(2, -1), 'env', node as never, {});
  return found === undefined || found === '' ? value : String(found);
}

/** Sends the command of a dialog once. Returns undefined if the device does not exist. */
export async function answerTry(RED: NodeAPI, { params, body }: AdminRequest): Promise<Tried | undefined> {
  const device = deviceById(params.id ?? '');
  return device && tryOnce(RED, device, body);
}
