import type { NodeAPI } from 'node-red';
import { isAcceptable, normalized } from '../../catalogue/formats';
import { isUnresolved } from '../../kernel/property';
import type { Offers, TrialFinding, Tried } from '../answers';
import { deviceById } from '../device/registry';
import { withoutLogin } from '../device/settings';
import { surroundingsOf } from '../device/surroundings';
import { findTargets } from '../device/targets';
import type { AdminRequest } from '../lazy';
import { isAsDeployed, passwordFor, readDialog, textIn } from './dialog-values';
import { offersOf } from './offers';
import { tryOut } from './trial';
import { tryOnce } from './try-once';

export function isOfDeployed(RED: NodeAPI, body: unknown): boolean {
  const { typed, deployed } = askedFor(RED, body);
  return isAsDeployed(typed, deployed);
}

function askedFor(RED: NodeAPI, body: unknown) {
  const id = textIn((Object(body) as { id?: unknown }).id);
  const deployed = deviceById(id)?.reaching;
  // The id of a row begins with the id of its group, and a slash.
  const node = deployed && RED.nodes.getNode(id.replace(/\/.*/s, ''));
  const resolve = (value: string) => resolved(RED, value, node);
  return { deployed, resolve, typed: readDialog(body, resolve) };
}

export async function answerTrial(RED: NodeAPI, { body }: AdminRequest): Promise<TrialFinding> {
  const { deployed, resolve, typed } = askedFor(RED, body);
  const { properties } = typed;
  const name = String(
    deployed?.properties.name || withoutLogin(String(properties.address ?? '')) || properties.virtual,
  );
  const { tlsOptions, endpoint } = surroundingsOf(RED, {} as never, properties);
  const password = passwordFor(typed, deployed, resolve);
  // A successful test of the deployed settings also updates the identity of the deployed device.
  const device = isAsDeployed(typed, deployed) ? deviceById(typed.id) : undefined;
  const surroundings = { tlsOptions, endpoint, environment: {} };
  return tryOut(name, properties, password, surroundings, (about) => device?.recognition.record(about));
}

/**
 * Takes suggestions from deployed devices only, since a user with the permission `algo.read` may not send
 * requests to other devices.
 */
export async function answerOffers(_RED: NodeAPI, { body }: AdminRequest): Promise<Offers | undefined> {
  const { what, folder, ...target } = Object(body) as Readonly<Record<string, unknown>>;
  const devices = findTargets(target, {}).list.flatMap(({ device }) => device ?? []);
  return offersOf(devices, textIn(what), folderOf(folder));
}

function folderOf(folder: unknown): string {
  const text = normalized('folder-path', textIn(folder));
  return isAcceptable('folder-path', text) ? text : 'tones';
}

/**
 * Replaces a text of the form `${NAME}` or `$(NAME)` by the value of the environment variable. Returns the
 * text unchanged if the variable has no value, or if the text has another form.
 */
function resolved(RED: NodeAPI, value: string, node: unknown): string {
  if (!isUnresolved(value)) return value;
  const found: unknown = RED.util.evaluateNodeProperty(value.slice(2, -1), 'env', node as never, {});
  return found === undefined || found === '' ? value : String(found);
}

export async function answerTry(RED: NodeAPI, { params, body }: AdminRequest): Promise<Tried | undefined> {
  const device = deviceById(params.id ?? '');
  return device && tryOnce(RED, device, body);
}
