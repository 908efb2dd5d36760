import type { Node, NodeAPI } from 'node-red';
import { isPlainObject } from '../../catalogue/coerce';
import { show } from '../../catalogue/describe';
import type { DeviceError } from '../../client/errors';
import {
  choice,
  isEmpty,
  isUnresolved,
  listOf,
  names,
  orThrow,
  parseJson,
  seconds,
} from '../../kernel/property';
import { isLevel, type JobCommand, maxMessageBytes } from '../../sites/wire';
import {
  hasPriority,
  type PriorityProperties,
  readAcknowledgement,
  readDrill,
  readPriority,
} from '../alert/properties';
import { type ActionMessage, Command } from '../message/command';
import { notSent } from '../message/invalid';
import { kindOf, madeUp } from '../message/kinds';
import { personIn } from '../message/receipt';

/**
 * The stored properties of an `algo-remote`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface RemoteProperties extends PriorityProperties {
  readonly broker?: unknown;
  readonly prefix?: unknown;
  readonly sites?: unknown;
  readonly job?: unknown;
  readonly devices?: unknown;
  readonly ttl?: unknown;
  readonly knownSites?: unknown;
}

export interface RemoteMessage extends ActionMessage {
  readonly site?: unknown;
  readonly drill?: unknown;
  readonly answer?: unknown;
}

interface RemoteRequest {
  readonly command: JobCommand;
  /**
   * Whether the job is idempotent; undefined for the start of an alert, whose actions only the site knows.
   */
  readonly isIdempotent: boolean | undefined;
  readonly devices: readonly string[];
}

const readSeconds = seconds({ above: 0, most: 31_536_000 });

const readNames = names({ most: 10_000 });

const invalid = notSent('remote');

export const notConfigured = notSent('remote', 'NOT_CONFIGURED');

/** Bytes of a job that are reserved for the fields other than `command` and `devices`. */
const reservedBytes = 8 * 1024;

/**
 * Returns the time until the message expires, in milliseconds; 60 s by default.
 * @throws DeviceError INVALID_PARAMETER
 */
export function readTtl({ ttl = 60 }: RemoteProperties, message: RemoteMessage): number {
  const read = message.ttl === undefined ? readSeconds(ttl, 'ttl') : readSeconds(message.ttl, 'msg.ttl');
  return orThrow(read, invalid);
}

/**
 * @param seen the sites that the centre has seen
 * @throws DeviceError NOT_CONFIGURED if there is no site; INVALID_PARAMETER for an invalid name
 */
export function readSites(
  { sites, knownSites }: RemoteProperties,
  message: RemoteMessage,
  seen: readonly string[],
): readonly string[] {
  const own = listOf(sites);
  const asked = own.length > 0 ? own : orThrow(readNames(message.site, 'msg.site'), invalid);
  const all = asked.flatMap((name) => (name === '*' ? [...listOf(knownSites), ...seen] : [name]));
  refuseUnset('sites', all);
  const wrong = all.find((name) => !isLevel(name));
  if (wrong !== undefined)
    throw invalid('msg.site has a name that no site can have', `the name is ${show(wrong)}`);
  if (all.length > 0) return [...new Set(all)];
  if (asked.includes('*')) throw notConfigured('no site was seen yet, and the node has no known sites');
  throw notConfigured('no site is set', 'enter one in the node or set msg.site');
}

export async function readRequest(
  RED: NodeAPI,
  node: Node,
  properties: RemoteProperties,
  message: RemoteMessage,
): Promise<RemoteRequest> {
  const job = objectIn(properties.job);
  const own = listOf(properties.devices);
  refuseUnset('devices', own);
  const devices = own.length > 0 ? own : orThrow(readNames(message.device, 'msg.device'), invalid);
  const question =
    job.alert === undefined
      ? await readOperation(RED, node, job, message, devices)
      : {
          command: readAlert(RED, job, properties, message),
          isIdempotent: job.action === 'start' ? undefined : true,
          devices,
        };
  const length = Buffer.byteLength(JSON.stringify(question));
  if (length <= maxMessageBytes - reservedBytes) return question;
  throw invalid(
    `a job can have at most ${maxMessageBytes - reservedBytes} bytes`,
    `this job has ${length}: send a file by its name`,
  );
}

async function readOperation(
  RED: NodeAPI,
  node: Node,
  { operation: asked, ...source }: Record<string, unknown>,
  message: RemoteMessage,
  devices: readonly string[],
): Promise<RemoteRequest> {
  const name = typeof asked === 'string' ? asked : '';
  const kind = kindOf(name);
  if (!kind) throw noOperation(asked);
  if (devices.length === 0)
    throw notConfigured('no device is set', 'enter one in the node or set msg.device');
  const { id, type } = node;
  const own = { parametersType: source.parametersType, parameters: source.parameters, form: source.form };
  const action = {
    ...madeUp(kind, { id, name: node.name ?? '', type }, name, own),
    RED,
    node,
  };
  const command = new Command(action, message);
  // The site checks the keys of records again, and knows whether its devices decide themselves.
  await command.read(true);
  if (command.fault) throw command.fault;
  const { operation, operationName, parameters } = command;
  const { resource } = kind.group;
  if (!operation || ![operationName, `${resource}/msg`].includes(name)) throw noOperation(asked);
  refuseBytes(parameters);
  return {
    command: { operation: operationName, parameters, ...byIn(message) },
    isIdempotent: operation.repeatable,
    devices,
  };
}

function noOperation(asked: unknown): DeviceError {
  const example = 'a resource and an operation, such as door/lock or door/msg';
  return invalid(`job.operation must be ${example}`, `got ${show(asked)}`);
}

const readAction = choice(['start', 'clear', 'acknowledge']);

/**
 * @throws DeviceError INVALID_PARAMETER for an invalid value. An invalid `drill` is an error too: a drill
 * must not become a real alert, nor a real alert a drill
 */
function readAlert(
  RED: NodeAPI,
  { alert, action: asked }: Record<string, unknown>,
  properties: RemoteProperties,
  message: RemoteMessage,
): JobCommand {
  if (typeof alert !== 'string' || alert === '')
    throw invalid('job.alert must be the name of an alert', `got ${show(alert)}`);
  const action = orThrow(readAction(asked, 'job.action'), invalid);
  if (action === 'acknowledge') return { alert, action, ...readAcknowledgement(message, invalid) };
  const isDrill = !isEmpty(message.drill) && { drill: readDrill({}, message) };
  const by = byIn(message);
  if (action === 'clear') return { alert, action, ...isDrill, ...by };
  return {
    alert,
    action,
    // If the job has no priority, the alert uses the priority of its node at the site.
    ...(hasPriority(properties) && { priority: readPriority(RED.util, properties, message) }),
    ...isDrill,
    ...by,
  };
}

function byIn(message: RemoteMessage): { readonly by?: string } {
  const by = personIn(message);
  return by === undefined ? {} : { by };
}

function refuseBytes(parameters: Readonly<Record<string, unknown>>): void {
  const bytes = Object.entries(parameters).find(([, value]) => value instanceof Uint8Array);
  if (bytes)
    throw invalid(
      `${bytes[0]} is the content of a file, and jobs cannot contain files`,
      'name a file on the device',
    );
}

function refuseUnset(property: string, names: readonly string[]): void {
  const name = names.find(isUnresolved);
  if (name === undefined) return;
  throw notConfigured(
    `its ${property} contain an environment variable that is not set`,
    `the variable is ${name}`,
  );
}

/**
 * A job from an environment variable is a JSON text.
 * @throws DeviceError INVALID_PARAMETER if the value is neither an object nor the JSON text of an object
 */
function objectIn(job: unknown): Record<string, unknown> {
  const read = parseJson(job);
  if (isPlainObject(read)) return read;
  throw invalid('job must be { operation, … } or { alert, action }', `got ${show(job)}`);
}
