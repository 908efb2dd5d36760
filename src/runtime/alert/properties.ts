import type { NodeAPI, NodeMessage } from 'node-red';
import { alertActions, defaultDrillText } from '../../catalogue/alert-actions';
import { isPlainObject } from '../../catalogue/coerce';
import { show } from '../../catalogue/describe';
import { joinMessages } from '../../catalogue/localized-message';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import { isOn, isUnresolved } from '../../kernel/property';
import type { TargetProperties } from '../device/targets';
import type { ActionMessage } from '../message/command';
import { maxPersonLength, personIn } from '../message/receipt';
import type { AcknowledgementProblem, AlertState, RetryAlert } from './alert';

/**
 * The stored properties of a priority, after Node-RED has replaced `${ENV}`. Each value can have any type.
 */
export interface PriorityProperties {
  readonly priority?: unknown;
  readonly priorityType?: unknown;
}

type MessageReader = Pick<NodeAPI['util'], 'getMessageProperty'>;

/**
 * The stored properties of an `algo-alert`, after Node-RED has replaced `${ENV}`. Each value can have any
 * type.
 */
export interface AlertProperties extends TargetProperties, PriorityProperties {
  readonly actions?: unknown;
  /** Time from the latest start until Node-RED clears the alert, in seconds; empty for never. */
  readonly endAfter?: unknown;
  /**
   * Time from the first start within which a person must acknowledge the alert, in seconds; empty for no
   * limit.
   */
  readonly acknowledgeWithin?: unknown;
  /** `clear` if a restart of Node-RED clears the alert; any other value means `keep`. */
  readonly afterRestart?: unknown;
  readonly drill?: unknown;
  /** The text before each display text in a drill. */
  readonly drillText?: unknown;
  /** The actions that are retried: `false`, `true` (default) or `all`, as in `RetryAlert`. */
  readonly retryAlert?: unknown;
}

export interface StoredAction {
  readonly operation: string;
  readonly form: unknown;
}

export interface AlertMessage {
  readonly drill?: unknown;
  readonly by?: unknown;
  readonly answer?: unknown;
}

const defaultPriority = 5;
const maxSeconds = 31_536_000;

/** @throws DeviceError INVALID_PARAMETER if the list is empty or invalid */
export function readActions({ actions }: AlertProperties): readonly StoredAction[] {
  const list = listIn(actions);
  if (!list || list.length === 0)
    throw invalid('actions must be a list of at least one action', `got ${show(actions)}`);
  return list.map((action, index) => {
    const operation = isPlainObject(action) ? action.operation : undefined;
    if (!isPlainObject(action) || !alertActions.some((known) => known.operation === operation)) {
      const ids = alertActions.map((known) => known.operation).join(', ');
      throw invalid(`actions[${index}].operation must be one of ${ids}`, `got ${show(operation)}`);
    }
    return { operation: String(operation), form: action.form };
  });
}

/**
 * Reads the priority of the message only if the node is set to do so, since mail and push nodes use
 * `msg.priority` for other purposes.
 * @param toError returns the error for a reason
 * @throws DeviceError INVALID_PARAMETER if the priority is invalid
 */
export function readPriority(
  util: MessageReader,
  { priority, priorityType }: PriorityProperties,
  message: object,
  toError = invalid,
): number {
  if (!isGiven(priorityType) || priorityType === 'num') return checkPriority('priority', priority, toError);
  if (priorityType !== 'msg') throw toError('priorityType must be num or msg', `got ${show(priorityType)}`);
  if (typeof priority !== 'string' || !isGiven(priority)) throw noName(priority, toError);
  const name = `msg.${priority.replace(/^msg\./, '')}`;
  return checkPriority(name, readMessage(util, priority, message, toError), toError);
}

export function hasPriority({ priority, priorityType }: PriorityProperties): boolean {
  return isGiven(priority) || (isGiven(priorityType) && priorityType !== 'num');
}

/**
 * Whether a start or a clear is a drill; the message overrides the properties.
 * @throws DeviceError INVALID_PARAMETER if `msg.drill` is invalid: a drill must not become a real alert, nor
 * a real alert a drill
 */
export function readDrill(properties: AlertProperties, message: AlertMessage): boolean {
  if (!isGiven(message.drill)) return isOn(properties.drill);
  if (message.drill === true || message.drill === 'true') return true;
  if (message.drill === false || message.drill === 'false') return false;
  throw invalid('msg.drill must be true or false', `got ${show(message.drill)}`);
}

/** Returns the text before each display text in a drill. A drill without such a text would look real. */
export function readDrillText({ drillText }: AlertProperties): string {
  const text = isUnresolved(drillText) ? '' : String(drillText ?? '').trim();
  return text === '' ? defaultDrillText : text;
}

export function readEndAfter({ endAfter }: AlertProperties): number | undefined {
  return readSeconds('endAfter', endAfter);
}

export function readAcknowledgeWithin({ acknowledgeWithin }: AlertProperties): number | undefined {
  return readSeconds('acknowledgeWithin', acknowledgeWithin);
}

function readSeconds(name: string, value: unknown): number | undefined {
  if (!isGiven(value)) return undefined;
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds) return seconds * 1_000;
  throw invalid(`${name} must be a number of seconds above 0 and up to ${maxSeconds}`, `got ${show(value)}`);
}

const maxAnswerLength = 200;

/**
 * Returns the person and the answer of an acknowledgement.
 * @param toError creates the error from a reason
 * @throws DeviceError INVALID_PARAMETER, or the error of `toError`, if the person is missing or a value is
 * invalid
 */
export function readAcknowledgement(
  message: AlertMessage,
  toError = invalid,
): { readonly by: string; readonly answer?: string } {
  const { answer } = message;
  const by = personIn(message);
  if (by === undefined) {
    const needed = `must be a text of 1 to ${maxPersonLength} characters`;
    throw toError(`msg.by is required to acknowledge an alert, and ${needed}`, `got ${show(message.by)}`);
  }
  if (answer === undefined) return { by };
  if (typeof answer === 'string' && answer.length <= maxAnswerLength) return { by, answer };
  throw toError(`msg.answer must be a text of up to ${maxAnswerLength} characters`, `got ${show(answer)}`);
}

export function refusedAcknowledgement(name: string, problem: AcknowledgementProblem): DeviceError {
  const reason = {
    idle: 'it is not on',
    clearing: 'it is being cleared',
    full: 'too many persons have acknowledged it',
  }[problem];
  return invalid(`"${name}" cannot be acknowledged, because ${reason}`);
}

export function readRetryAlert({ retryAlert }: AlertProperties): RetryAlert {
  if (!isGiven(retryAlert) || retryAlert === true || retryAlert === 'true') return true;
  if (retryAlert === false || retryAlert === 'false') return false;
  if (retryAlert === 'all') return 'all';
  throw invalid('retryAlert must be true, false or all', `got ${show(retryAlert)}`);
}

/** Returns false for invalid properties, since an alert with invalid properties starts nothing. */
export function retryOf(properties: AlertProperties): RetryAlert {
  try {
    return readRetryAlert(properties);
  } catch {
    return false;
  }
}

/**
 * Returns the operation of a message; without one, the message starts the alert, also with an empty payload.
 * @throws DeviceError INVALID_PARAMETER if the operation is unknown, or if there is none and the payload is
 * one of `endings`: such a message must not start an alert by mistake
 */
export function readOperation({ operation: asked, payload }: ActionMessage): AlertOperation {
  if (isGiven(asked)) {
    const operation = operations.find((one) => one === asked);
    if (operation !== undefined) return operation;
    throw invalid(`msg.operation must be one of ${operations.join(', ')}`, `got ${show(asked)}`);
  }
  const isEnding = payload === false || (typeof payload === 'string' && endings.test(payload));
  if (!isEnding) return 'start';
  throw invalid(`msg.payload is ${show(payload)}: to end the alert, set msg.operation to clear`);
}

const endings = /^\s{0,9}(?:clear|all-clear|stop|off|end|idle|false)\s{0,9}$/i;

const operations = ['start', 'clear', 'acknowledge', 'state', 'report'] as const;
type AlertOperation = (typeof operations)[number];

/**
 * Returns the state of an idle alert. With invalid properties, the state has the default priority and no
 * drill; the next start reports the error.
 */
export function idleOf(util: MessageReader, properties: AlertProperties): Omit<AlertState, 'name'> {
  const none = { active: [], unknown: [], failed: [], pending: [], dryRun: 0, acknowledged: [] } as const;
  const rest = { state: 'idle', since: null, by: null, clearedBy: null, ...none } as const;
  try {
    return { ...rest, priority: readPriority(util, properties, {}), drill: readDrill(properties, {}) };
  } catch {
    return { ...rest, priority: defaultPriority, drill: false };
  }
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function readMessage(util: MessageReader, name: string, message: object, toError: typeof invalid): unknown {
  try {
    return util.getMessageProperty(message as NodeMessage, name);
  } catch (error) {
    // If `msg.a` is missing, reading `msg.a.b` throws a TypeError. The priority is then treated as missing.
    if (error instanceof TypeError) return undefined;
    throw noName(name, toError);
  }
}

function checkPriority(name: string, value: unknown, toError: typeof invalid): number {
  if (!isGiven(value)) return defaultPriority;
  const priority = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof priority === 'number' && priority >= 0 && priority <= 10) return priority;
  throw toError(`${name} must be a number from 0 to 10`, `got ${show(value)}`);
}

function noName(priority: unknown, toError: typeof invalid): Error {
  return toError(
    'priority must be the name of a message property, since priorityType is msg',
    `got ${show(priority)}`,
  );
}

function listIn(actions: unknown): readonly unknown[] | undefined {
  if (Array.isArray(actions)) return actions;
  try {
    const read: unknown = JSON.parse(String(actions));
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function invalid(...words: readonly [reason: string, ...details: string[]]): DeviceError {
  return new DeviceError('INVALID_PARAMETER', nothingSent(joinMessages(words)), { place: 'alert' });
}
