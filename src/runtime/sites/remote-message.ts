import type { Node, NodeAPI } from 'node-red';
import { isPlainObject } from '../../catalogue/coerce';
import { show } from '../../catalogue/describe';
import { joinMessages, type Text } from '../../catalogue/localized-message';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import { isUnresolved, listOf } from '../../kernel/property';
import { isLevel, type JobCommand, maxMessageBytes } from '../../sites/wire';
import {
  hasPriority,
  isGiven,
  type PriorityProperties,
  readAcknowledgement,
  readDrill,
  readPriority,
} from '../alert/properties';
import { type ActionMessage, Command } from '../message/command';
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

const defaultTtl = 60;
const maxTtl = 31_536_000;

/** Bytes of a job that are reserved for the fields other than `command` and `devices`. */
const reservedBytes = 8 * 1024;

/**
 * @throws DeviceError INVALID_PARAMETER if the value is not a number of seconds above 0 and up to `maxTtl`
 */
export function readTtl(properties: RemoteProperties, message: RemoteMessage): number {
  const isOfMessage = message.ttl !== undefined;
  const ttl = isOfMessage ? message.ttl : properties.ttl === undefined ? defaultTtl : properties.ttl;
  const seconds = typeof ttl === 'string' && ttl.trim() !== '' ? Number(ttl) : ttl;
  if (typeof seconds === 'number' && seconds > 0 && seconds <= maxTtl) return seconds * 1_000;
  throw invalid(
    `${isOfMessage ? 'msg.' : ''}ttl must be a number of seconds above 0, up to ${maxTtl}`,
    `got ${show(ttl)}`,
  );
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
  const asked = own.length > 0 ? own : namesIn('msg.site', message.site);
  const all = asked.flatMap((name) => (name === '*' ? [...listOf(knownSites), ...seen] : [name]));
  refuseUnset('sites', all);
  const wrong = all.find((name) => !isLevel(name));
  if (wrong !== undefined)
    throw invalid('msg.site has a name that no site can have', `the name is ${show(wrong)}`);
  if (all.length > 0) return [...new Set(all)];
  const reason = asked.includes('*')
    ? 'no site was seen yet, and the node has no known sites'
    : joinMessages(['no site is set', 'enter one in the node or set msg.site']);
  throw notConfigured(reason);
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
  const devices = own.length > 0 ? own : namesIn('msg.device', message.device);
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
  if (devices.length === 0) {
    throw notConfigured(joinMessages(['no device is set', 'enter one in the node or set msg.device']));
  }
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

/**
 * @throws DeviceError INVALID_PARAMETER for an invalid value. An invalid `drill` is an error too: a drill
 * must not become a real alert, nor a real alert a drill
 */
function readAlert(
  RED: NodeAPI,
  { alert, action }: Record<string, unknown>,
  properties: RemoteProperties,
  message: RemoteMessage,
): JobCommand {
  if (typeof alert !== 'string' || alert === '')
    throw invalid('job.alert must be the name of an alert', `got ${show(alert)}`);
  if (action === 'acknowledge') return { alert, action, ...readAcknowledgement(message, invalid) };
  if (action !== 'start' && action !== 'clear')
    throw invalid('job.action must be start, clear or acknowledge', `got ${show(action)}`);
  const isDrill = isGiven(message.drill) && { drill: readDrill({}, message) };
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
  const reason = joinMessages([
    `its ${property} contain an environment variable that is not set`,
    `the variable is ${name}`,
  ]);
  throw notConfigured(reason);
}

function namesIn(place: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value);
  if (isList ? value.length <= maxNames && value.every(isName) : isName(value)) {
    const names = listOf(value);
    if (names.length <= maxNames) return [...new Set(names)];
  }
  throw invalid(`${place} must be a name or a list of at most ${maxNames} names`, `got ${show(value)}`);
}

const maxNames = 10_000;

function isName(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value);
}

/**
 * A job from an environment variable is a JSON text.
 * @throws DeviceError INVALID_PARAMETER if the value is neither an object nor the JSON text of an object
 */
function objectIn(job: unknown): Record<string, unknown> {
  if (isPlainObject(job)) return job;
  try {
    const read: unknown = JSON.parse(String(job));
    if (isPlainObject(read)) return read;
  } catch {
    // The error is thrown below.
  }
  throw invalid('job must be { operation, … } or { alert, action }', `got ${show(job)}`);
}

function invalid(...words: readonly [reason: string, ...details: string[]]): DeviceError {
  return new DeviceError('INVALID_PARAMETER', nothingSent(joinMessages(words)), { place: 'remote' });
}

export function notConfigured(reason: Text): DeviceError {
  return new DeviceError('NOT_CONFIGURED', nothingSent(reason), { place: 'remote' });
}
