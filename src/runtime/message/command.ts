import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { everyGroup } from '../../catalogue';
import { isPasswordName, printable } from '../../catalogue/describe';
import { joinMessages, localized, localizedPhrase, type Text } from '../../catalogue/localized-message';
import { hasRecords } from '../../catalogue/open-records';
import type { Operation, OperationGroup, Parameters } from '../../catalogue/operation';
import { nothingSent } from '../../catalogue/sentence';
import { type Checked, checkParameters, firstOf } from '../../catalogue/validate';
import { DeviceError, messageOf } from '../../client/errors';
import { type DeviceOutput, deviceOutputFor } from '../../client/queue/entry';
import { isOn, number, PropertyFinding, property, readProperties, seconds } from '../../kernel/property';
import type { TargetProperties } from '../device/targets';
import type { OperationEvent } from './bus';
import type { ActionHooks } from './hooks';
import { collectParameters, isConstant, type ParameterProperties } from './parameters';
import { personIn, type Receipt } from './receipt';
import type { AutoStops } from './stop-command';

export interface ActionMessage extends NodeMessage {
  device?: unknown;
  operation?: unknown;
  /**
   * Resource of the operation, such as `door`. A node that reads the operation from the message refuses a
   * message with the resource of another node.
   */
  resource?: unknown;
  /** Time until the message expires, in seconds; 0 for never. Overrides the setting of the node. */
  ttl?: unknown;
  by?: unknown;
  receipts?: Receipt[];
}

/** The stored delivery settings of a node (docs/contract.md 2.5), after Node-RED has replaced `${ENV}`. */
export interface DeliveryProperties {
  readonly split?: unknown;
  readonly ttl?: unknown;
  readonly retryFor?: unknown;
  readonly endAfter?: unknown;
  readonly rolling?: unknown;
  readonly maxFailures?: unknown;
  /** Whether the node also sends what a real alert would otherwise hold back. */
  readonly duringAlert?: unknown;
}

/** A number of targets, or a share of them in percent. */
type RollingSize = { readonly count: number } | { readonly percent: number };

export interface DeliveryOptions {
  readonly split: boolean;
  /**
   * Time from the arrival to the expiry of the message, infinite for never; absent for the default of the
   * operation.
   */
  readonly ttlMs?: number | undefined;
  readonly retryForMs: number;
  readonly yields?: boolean;
  /** Whether the request is urgent, whatever its operation. */
  readonly isUrgent?: boolean;
  /** How many targets are served at a time, and after how many failures no further one is begun. */
  readonly rolling?: { readonly size: RollingSize; readonly maxFailures: number } | undefined;
  /** Time from the start to the auto-stop; absent if there is no auto-stop. */
  readonly endAfterMs?: number | undefined;
  readonly duringAlert: boolean;
}

const noDeliveryOptions: DeliveryOptions = { split: false, retryForMs: 0, duringAlert: false };

/**
 * The stored properties of an action node, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface ActionProperties extends TargetProperties, ParameterProperties, DeliveryProperties {
  readonly operation?: unknown;
  readonly confirmWrite?: unknown;
  readonly reloadAfter?: unknown;
  readonly waitUntilBack?: unknown;
  readonly skipUnchanged?: unknown;
}

/** An action node of a flow, or a made-up node (`madeUp`) that sends an operation for other code. */
export interface ActionNode {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly group: OperationGroup;
  readonly properties: ActionProperties;
  readonly hooks: ActionHooks;
  /**
   * Adds and removes the auto-stops of the node's messages; undefined for a node that neither adds nor
   * removes auto-stops.
   */
  readonly autoStops: AutoStops | undefined;
  /**
   * Asks for the permission to send, in the device's turn and before the first request of a command. Resolves
   * if permitted, otherwise rejects.
   */
  readonly admission?: () => Promise<void>;
  /**
   * Whether the requests do not come from a message, as with auto-stops. Such a request is dropped if a start
   * of the same device output waits or is in progress.
   */
  readonly yields?: boolean;
  /** Whether the requests are urgent, whatever their operation. */
  readonly isUrgent?: boolean;
  /**
   * Whether Node-RED stops the operation if the firmware lacks the parameter with which the device stops it.
   */
  readonly stopsForOlder?: boolean;
  /**
   * Called after a success at a device output, within the turn: what is sent there later has a later call.
   */
  readonly onDone?: (happened: OperationEvent) => void;
  progress(text: string): void;
}

interface CheckedParameters {
  readonly parameters: Parameters;
  readonly deviceOutput: DeviceOutput | undefined;
}

type CheckedByHook = ReturnType<NonNullable<ActionHooks['check']>>;

const constants = new WeakMap<ActionProperties, CheckedParameters>();

export class Command {
  readonly operationName: string;
  readonly operation: Operation | undefined;
  fault: DeviceError | undefined;
  parameters: Parameters = {};
  deviceOutput: DeviceOutput | undefined;
  readonly options: DeliveryOptions;
  readonly by: string | undefined;
  #letDeviceDecide = false;
  /** The names of settings whose values come from environment variables. */
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    readonly action: ActionNode,
    private readonly message: ActionMessage,
    /** Arrival time on the monotonic clock, in milliseconds. */
    readonly since = performance.now(),
  ) {
    const asked = askedFor(action, message);
    this.by = personIn(message);
    const { resource, operations } = action.group;
    this.operation = operations.find((one) => one.id === asked);
    const id =
      this.operation?.id ?? (typeof asked === 'string' ? printable(asked.slice(0, maxIdLength)) : '');
    this.operationName = id === resource ? resource : `${resource}/${id}`;
    this.options = this.operation ? this.#read(this.operation) : noDeliveryOptions;
    const isByMessage = action.properties.operation === 'msg';
    const other = isByMessage ? otherResourceIn(action, message) : undefined;
    if (other !== undefined) this.#refuse(localized('otherResource', { got: other, own: resource }));
    else if (!this.operation) this.#refuse(notAnOperation(action, asked));
    else if (isByMessage && (action.properties.parametersType || 'form') === 'form')
      this.#refuse(localized('formOfAnother'));
  }

  get isUrgent(): boolean {
    return this.action.isUrgent === true || this.operation?.urgent === true;
  }

  #read(operation: Operation): DeliveryOptions {
    const options = readDeliveryOptions(this.action.properties, this.message.ttl, operation);
    const { yields, isUrgent } = this.action;
    if ('sentence' in options) {
      this.#refuse(options.sentence);
      return noDeliveryOptions;
    }
    if (!yields && !isUrgent) return options;
    return { ...options, ...(yields && { yields }), ...(isUrgent && { isUrgent }) };
  }

  /**
   * Reads and checks the parameters from the sources that the node's properties name. An error becomes the
   * `fault` of the command.
   * @param letDeviceDecide whether all devices of the message decide themselves which keys a record can have
   * @returns a promise if a source or the check needs time; otherwise undefined
   */
  read(letDeviceDecide = false): Promise<void> | undefined {
    const { operation } = this;
    if (!operation || this.fault) return undefined;
    // Only the keys of records depend on the devices.
    this.#letDeviceDecide = letDeviceDecide && hasRecords(operation);
    const { RED, node, properties } = this.action;
    const constant = constants.get(properties);
    if (constant) {
      this.parameters = constant.parameters;
      this.deviceOutput = constant.deviceOutput;
      return undefined;
    }
    try {
      const hidden = new Set<string>();
      this.#hidden = hidden;
      const raw = collectParameters(RED, node, properties, operation, this.message, hidden);
      const checking =
        raw instanceof Promise
          ? raw.then((found) => this.#check(operation, found))
          : this.#check(operation, raw);
      return checking?.catch((error) => this.#refuse(messageOf(error)));
    } catch (error) {
      return void this.#refuse(messageOf(error));
    }
  }

  #check(operation: Operation, raw: Parameters): Promise<void> | undefined {
    const hides = (name: string) => this.#hidden.has(name) || isPasswordName(name);
    const checked = checkParameters(operation, raw, this.#letDeviceDecide, hides);
    const more = this.#checkByHook(operation, raw, checked);
    if (more instanceof Promise) return more.then((found) => this.#conclude(operation, checked, found));
    this.#conclude(operation, checked, more);
    return undefined;
  }

  #checkByHook(operation: Operation, raw: Parameters, checked: Checked): CheckedByHook {
    if (!checked.ok && checked.isTooLarge) return [];
    return this.action.hooks.check?.(operation, checked.ok ? checked.parameters : raw, checked.ok) ?? [];
  }

  #conclude(operation: Operation, checked: Checked, more: readonly Text[]): void {
    if (!checked.ok || more.length > 0) {
      const findings = [...(checked.ok ? [] : checked.localizedFindings), ...firstOf(more)];
      this.#refuse(joinMessages(findings));
      return;
    }
    this.parameters = checked.parameters;
    this.deviceOutput = deviceOutputFor(operation, checked.parameters);
    const { autoStop: { field } = {} } = operation;
    if (this.options.endAfterMs !== undefined && field !== undefined && field in this.parameters) {
      this.#refuse(localized('endsTwice', { name: field }));
      return;
    }
    const { action, parameters, deviceOutput } = this;
    // The devices of the next message can be others.
    if (isConstant(action.properties) && !this.#letDeviceDecide)
      constants.set(action.properties, { parameters, deviceOutput });
  }

  /**
   * Whether the operation changes nothing. A request that a user wrote changes nothing if its method is GET.
   */
  get readsOnly(): boolean {
    const { operation, parameters } = this;
    if (operation?.fields.method) return parameters.method === 'GET';
    return operation?.readsOnly === true || operation?.route.startsWith('GET ') === true;
  }

  #refuse(reason: Text): void {
    const { operationName } = this;
    this.fault = new DeviceError('INVALID_PARAMETER', nothingSent(reason), { operationName });
  }
}

const maxIdLength = 40;

/** If the node has a single operation, the message has no influence. */
function askedFor({ group, properties }: ActionNode, message: ActionMessage): unknown {
  const [only, second] = group.operations;
  if (only && !second) return only.id;
  return properties.operation === 'msg' ? message.operation : properties.operation;
}

/**
 * Returns the operation of a message; undefined if the node has no such operation.
 * @param message if absent, finds only an operation that does not depend on the message
 */
export function operationOf(
  action: ActionNode,
  message: ActionMessage = emptyMessage,
): Operation | undefined {
  const asked = askedFor(action, message);
  return action.group.operations.find((one) => one.id === asked);
}

const resources: ReadonlySet<unknown> = new Set(everyGroup.map(({ resource }) => resource));

/**
 * Returns the resource in `msg.resource` if the message is meant for the node of another resource. Returns
 * undefined for a text that is no resource, since other packages can use `msg.resource`.
 */
function otherResourceIn({ group }: ActionNode, { resource }: ActionMessage): string | undefined {
  return resource === group.resource || !resources.has(resource) ? undefined : (resource as string);
}

const emptyMessage: ActionMessage = { _msgid: '' };

function notAnOperation({ group, properties }: ActionNode, asked: unknown): Text {
  const ids = group.operations.map((one) => one.id).join(', ');
  const place = properties.operation === 'msg' ? 'msg.operation' : 'operation';
  return localized('notAnOperation', { place, ids, got: describe(asked) });
}

function describe(asked: unknown): Text {
  if (asked === undefined || asked === null || asked === '') return localizedPhrase('nothing');
  if (typeof asked === 'string') return printable(asked.slice(0, maxIdLength));
  if (typeof asked === 'object' || typeof asked === 'function') return localizedPhrase('oneObject');
  return localized('theValue', { type: typeof asked, value: printable(String(asked).slice(0, maxIdLength)) });
}

/** The default retry time of stops and urgent operations. Other operations are not retried by default. */
const defaultRetryMs = 10_000;

const maxSeconds = 31_536_000;

const ofNode = { least: 0, most: maxSeconds, empty: undefined };

const readTtl = seconds(ofNode);

const readGivenTtl = seconds({ least: 0, most: maxSeconds });

const readers = {
  retryFor: seconds(ofNode),
  endAfter: seconds({ above: 0, most: maxSeconds, empty: undefined }),
  split: isOn,
  duringAlert: isOn,
  rolling: property(rollingSizeIn, localizedPhrase('rollingSize'), { empty: undefined, isTrimmed: true }),
  maxFailures: number({ least: 0, isWhole: true, empty: 0 }),
};

function rollingSizeIn(value: unknown): RollingSize | undefined {
  const [, percent] = /^(\d{1,3})\s?%$/.exec(String(value)) ?? [];
  if (percent !== undefined)
    return Number(percent) >= 1 && Number(percent) <= 100 ? { percent: Number(percent) } : undefined;
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(count) && Number(count) >= 1 ? { count: Number(count) } : undefined;
}

type Read<T> = T | PropertyFinding;

interface LastRead {
  readonly operation: Operation;
  readonly withoutTtl: Read<DeliveryOptions>;
  /** The options with the `ttl` of the node. */
  readonly options: Read<DeliveryOptions>;
}

/** Cache: the last options of a node. */
const lastRead = new WeakMap<DeliveryProperties, LastRead>();

/**
 * @param properties the key of a cache, so the properties must not be changed
 * @param ttl time until the expiry in the message, in seconds
 */
export function readDeliveryOptions(
  properties: DeliveryProperties,
  ttl: unknown,
  operation: Operation,
): Read<DeliveryOptions> {
  let last = lastRead.get(properties);
  if (last?.operation !== operation) {
    const withoutTtl = readWithoutTtl(properties, operation);
    last = { operation, withoutTtl, options: addTtl(withoutTtl, readTtl(properties.ttl, 'ttl')) };
    lastRead.set(properties, last);
  }
  if (ttl === undefined || ttl === '') return last.options;
  return addTtl(last.withoutTtl, readGivenTtl(ttl, 'msg.ttl'));
}

function readWithoutTtl(properties: DeliveryProperties, operation: Operation): Read<DeliveryOptions> {
  const read = readProperties(readers, properties);
  if (read instanceof PropertyFinding) return read;
  const { retryFor, endAfter, rolling: size, maxFailures, ...rest } = read;
  const rolling = size && { size, maxFailures };
  if (endAfter !== undefined && operation.autoStop === undefined)
    return new PropertyFinding('endAfter', localized('nothingEnds', { operation: operation.id }));
  const isStop = operation.urgent || operation.isStop === true;
  return { ...rest, retryForMs: retryFor ?? (isStop ? defaultRetryMs : 0), endAfterMs: endAfter, rolling };
}

function addTtl(options: Read<DeliveryOptions>, ttl: Read<number | undefined>): Read<DeliveryOptions> {
  if (ttl instanceof PropertyFinding) return ttl;
  if (options instanceof PropertyFinding) return options;
  return { ...options, ttlMs: ttl === 0 ? Number.POSITIVE_INFINITY : ttl };
}
