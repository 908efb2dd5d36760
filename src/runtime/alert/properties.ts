import { alertActions, defaultDrillText } from '../../catalogue/alert-actions';
import { isPlainObject } from '../../catalogue/coerce';
import { show } from '../../catalogue/describe';
import { localizedPhrase } from '../../catalogue/localized-message';
import type { DeviceError } from '../../client/errors';
import {
  choice,
  isEmpty,
  isOn,
  isUnresolved,
  type MessageReader,
  number,
  orThrow,
  type Property,
  PropertyFinding,
  parseJson,
  readMessageProperty,
  readProperties,
  seconds,
  wrong,
} from '../../kernel/property';
import type { TargetProperties } from '../device/targets';
import type { ActionMessage } from '../message/command';
import { notSent } from '../message/invalid';
import { maxPersonLength, personIn } from '../message/receipt';
import type { AcknowledgementProblem, AlertState, RetryAlert, StartRequest } from './alert';

/**
 * The stored properties of a priority, after Node-RED has replaced `${ENV}`. Each value can have any type.
 */
export interface PriorityProperties {
  readonly priority?: unknown;
  readonly priorityType?: unknown;
}

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

const invalid = notSent('alert');

const defaultPriority = 5;

const readPriorityType = choice(['num', 'msg'], { empty: 'num' });

const readNumber = number({ least: 0, most: 10, empty: defaultPriority });

const readSeconds = seconds({ above: 0, most: 31_536_000, empty: undefined });

const readRetryWord = choice(['true', 'false', 'all'], { empty: 'true' });

const readRetry: Property<RetryAlert> = (value, name) => {
  const word = readRetryWord(value, name);
  return typeof word === 'string' && word !== 'all' ? word === 'true' : word;
};

const readYesOrNo = choice(['true', 'false']);

const readActionName = choice(alertActions.map(({ operation }) => operation));

/** @throws DeviceError INVALID_PARAMETER if the list is empty or invalid */
export function readActions({ actions }: AlertProperties): readonly StoredAction[] {
  const list = parseJson(actions);
  if (!Array.isArray(list) || list.length === 0)
    throw invalid(wrong('actions', localizedPhrase('listNotEmpty'), actions).sentence);
  return list.map((action: unknown, index) => {
    const { operation, form } = isPlainObject(action) ? action : {};
    return { operation: orThrow(readActionName(operation, `actions[${index}].operation`), invalid), form };
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
  const type = orThrow(readPriorityType(priorityType, 'priorityType'), toError);
  if (type === 'num') return orThrow(readNumber(priority, 'priority'), toError);
  const value = orThrow(readMessageProperty(util, message, priority, 'priority'), toError);
  return orThrow(readNumber(value, `msg.${String(priority).replace(/^msg\./, '')}`), toError);
}

export function hasPriority({ priority, priorityType }: PriorityProperties): boolean {
  return !isEmpty(priority) || (!isEmpty(priorityType) && priorityType !== 'num');
}

/**
 * Whether a start or a clear is a drill; the message overrides the properties.
 * @throws DeviceError INVALID_PARAMETER if `msg.drill` is invalid: a drill must not become a real alert, nor
 * a real alert a drill
 */
export function readDrill(properties: AlertProperties, message: AlertMessage): boolean {
  if (isEmpty(message.drill)) return isOn(properties.drill);
  return orThrow(readYesOrNo(message.drill, 'msg.drill'), invalid) === 'true';
}

/** Returns the text before each display text in a drill. A drill without such a text would look real. */
export function readDrillText({ drillText }: AlertProperties): string {
  const text = isUnresolved(drillText) ? '' : String(drillText ?? '').trim();
  return text === '' ? defaultDrillText : text;
}

/** The properties that no message overrides. */
export interface AlertSettings
  extends Pick<StartRequest, 'clearsAtRestart' | 'retryAlert' | 'acknowledgeWithinMs' | 'endAfterMs'> {
  readonly actions: readonly StoredAction[];
}

const readers = { endAfter: readSeconds, retryAlert: readRetry, acknowledgeWithin: readSeconds };

/** @throws DeviceError INVALID_PARAMETER for the first invalid property */
export function readSettings(properties: AlertProperties): AlertSettings {
  const { endAfter, retryAlert, acknowledgeWithin } = orThrow(readProperties(readers, properties), invalid);
  return {
    endAfterMs: endAfter,
    retryAlert,
    acknowledgeWithinMs: acknowledgeWithin,
    clearsAtRestart: properties.afterRestart === 'clear',
    actions: readActions(properties),
  };
}

/** Returns false for an invalid property, since an alert with an invalid property starts nothing. */
export function retryOf({ retryAlert }: AlertProperties): RetryAlert {
  const retry = readRetry(retryAlert, 'retryAlert');
  return retry instanceof PropertyFinding ? false : retry;
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
  const limits = localizedPhrase('textOfAtMost', { count: String(maxAnswerLength) });
  throw toError(wrong('msg.answer', limits, answer).sentence);
}

export function refusedAcknowledgement(name: string, problem: AcknowledgementProblem): DeviceError {
  const reason = {
    idle: 'it is not on',
    clearing: 'it is being cleared',
    full: 'too many persons have acknowledged it',
  }[problem];
  return invalid(`"${name}" cannot be acknowledged, because ${reason}`);
}

/**
 * Returns the operation of a message; without one, the message starts the alert, also with an empty payload.
 * @throws DeviceError INVALID_PARAMETER if the operation is unknown, or if there is none and the payload is
 * one of `endings`: such a message must not start an alert by mistake
 */
export function readOperation({ operation: asked, payload }: ActionMessage): AlertOperation {
  const operation = orThrow(readAsked(asked, 'msg.operation'), invalid);
  if (operation !== undefined) return operation;
  const isEnding = payload === false || (typeof payload === 'string' && endings.test(payload));
  if (!isEnding) return 'start';
  throw invalid(`msg.payload is ${show(payload)}: to end the alert, set msg.operation to clear`);
}

const endings = /^\s{0,9}(?:clear|all-clear|stop|off|end|idle|false)\s{0,9}$/i;

const operations = ['start', 'clear', 'acknowledge', 'state', 'report'] as const;
type AlertOperation = (typeof operations)[number];

const readAsked = choice(operations, { empty: undefined });

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
