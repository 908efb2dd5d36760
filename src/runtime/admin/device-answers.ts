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

/** What of a deployed device's node is used here. */
interface DeviceNode {
  /** How it is reached; only a device has this. */
  reaching?(): Reaching;
}

/** Whether a dialog shows what is deployed, so that trying it reaches nothing new. */
export function isOfDeployed(RED: NodeAPI, body: unknown): boolean {
  const { typed, deployed } = askedFor(RED, body);
  return isAsDeployed(typed, deployed);
}

/** What a dialog says, and what is deployed of the same device. */
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
  // What was asked is the deployed device, so what it says counts for messages too.
  const device = isAsDeployed(typed, deployed) ? deviceById(typed.id) : undefined;
  const surroundings = { tlsOptions, endpoint, environment: {} };
  return tryOut(name, properties, password, surroundings, (about) => device?.recognition.note(about));
}

/**
 * Only devices that are deployed: whoever may look at them may see what they have. Which ones is said as a node says
 * it: by `target`, and `device`, `group` or `targets`.
 */
export async function answerOffers(_RED: NodeAPI, { body }: AdminRequest): Promise<Offers | undefined> {
  const { what, folder, ...target } = Object(body) as Readonly<Record<string, unknown>>;
  const devices = findTargets(target, {}).list.flatMap(({ device }) => device ?? []);
  return offersOf(devices, textIn(what), folderOf(folder));
}

/** A folder as the device takes it; the one of the tones, where none is meant. */
function folderOf(folder: unknown): string {
  const text = normalized('folder-path', textIn(folder));
  return isAcceptable('folder-path', text) ? text : 'tones';
}

/** What an environment variable holds, if a text is the name of one and it is set; else the text. */
function resolved(RED: NodeAPI, value: string, node: unknown): string {
  if (!isUnresolved(value)) return value;
  const found: unknown = RED.util.evaluateNodeProperty(value.slice(2, -1), 'env', node as never, {});
  return found === undefined || found === '' ? value : String(found);
}

/** Sends what a dialog says to a device that is deployed. */
export async function answerTry(RED: NodeAPI, { params, body }: AdminRequest): Promise<Tried | undefined> {
  const device = deviceById(params.id ?? '');
  return device && tryOnce(RED, device, body);
}
