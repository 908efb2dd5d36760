import { alertActions } from '../../catalogue/alert-actions';
import { isPlainObject } from '../../catalogue/coerce';
import { show } from '../../catalogue/describe';
import { DeviceError } from '../../client/errors';
import { isOn } from '../device/settings';
import type { TargetProperties } from '../device/targets';
import type { AlertState, RetryAlert } from './alert';

/** The stored properties of an `algo-alert`, with `${ENV}` already replaced. Each value can have any type. */
export interface AlertProperties extends TargetProperties {
  readonly actions?: unknown;
  readonly priority?: unknown;
  /** The time until Node-RED clears the alert, in seconds. */
  readonly endAfter?: unknown;
  /** `clear`, or anything else for `keep`. */
  readonly afterRestart?: unknown;
  readonly drill?: unknown;
  /** `false`, `true` (the default) or `all`. */
  readonly retryAlert?: unknown;
}

/** A stored action. */
export interface StoredAction {
  readonly operation: string;
  readonly form: unknown;
}

/** The options in a message to an alert. */
export interface AlertMessage {
  readonly priority?: unknown;
  readonly drill?: unknown;
}

const defaultPriority = 5;
const maxSeconds = 31_536_000;

/** @throws DeviceError INVALID_PARAMETER */
export function readActions({ actions }: AlertProperties): readonly StoredAction[] {
  const list = listIn(actions);
  if (!list || list.length === 0)
    throw invalid(`actions must be a list of at least one action; got ${show(actions)}`);
  return list.map((action, index) => {
    const operation = isPlainObject(action) ? action.operation : undefined;
    if (!isPlainObject(action) || !alertActions.some((known) => known.operation === operation)) {
      const ids = alertActions.map((known) => known.operation).join(', ');
      throw invalid(`actions[${index}].operation must be one of ${ids}; got ${show(operation)}`);
    }
    return { operation: String(operation), form: action.form };
  });
}

/** @throws DeviceError INVALID_PARAMETER */
export function readPriority(properties: AlertProperties, message: AlertMessage): number {
  const isOfMessage = isGiven(message.priority);
  const value = isOfMessage
    ? message.priority
    : isGiven(properties.priority)
      ? properties.priority
      : defaultPriority;
  const priority = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof priority === 'number' && priority >= 0 && priority <= 10) return priority;
  throw invalid(`${isOfMessage ? 'msg.' : ''}priority must be a number from 0 to 10; got ${show(value)}`);
}

/**
 * @throws DeviceError INVALID_PARAMETER, because a real alert must not be sent as a drill, nor a drill as a real alert
 */
export function readDrill(properties: AlertProperties, message: AlertMessage): boolean {
  if (!isGiven(message.drill)) return isOn(properties.drill);
  if (message.drill === true || message.drill === 'true') return true;
  if (message.drill === false || message.drill === 'false') return false;
  throw invalid(`msg.drill must be true or false; got ${show(message.drill)}`);
}

/**
 * Returns the time until Node-RED clears the alert, in milliseconds; undefined for never.
 * @throws DeviceError INVALID_PARAMETER
 */
export function readEndAfter({ endAfter }: AlertProperties): number | undefined {
  if (!isGiven(endAfter)) return undefined;
  const seconds = typeof endAfter === 'string' && endAfter.trim() !== '' ? Number(endAfter) : endAfter;
  if (typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds) return seconds * 1_000;
  throw invalid(
    `endAfter must be a number of seconds above 0 and up to ${maxSeconds}; got ${show(endAfter)}`,
  );
}

/**
 * Returns the actions that the alert retries.
 * @throws DeviceError INVALID_PARAMETER
 */
export function readRetryAlert({ retryAlert }: AlertProperties): RetryAlert {
  if (!isGiven(retryAlert) || retryAlert === true || retryAlert === 'true') return true;
  if (retryAlert === false || retryAlert === 'false') return false;
  if (retryAlert === 'all') return 'all';
  throw invalid(`retryAlert must be true, false or all; got ${show(retryAlert)}`);
}

/** Returns the actions that the alert retries, or false for an invalid value, since such an alert starts nothing. */
export function retryOf(properties: AlertProperties): RetryAlert {
  try {
    return readRetryAlert(properties);
  } catch {
    return false;
  }
}

/** @throws DeviceError INVALID_PARAMETER */
export function readOperation(asked: unknown): 'start' | 'clear' | 'state' {
  if (!isGiven(asked)) return 'start';
  if (asked === 'start' || asked === 'clear' || asked === 'state') return asked;
  throw invalid(`msg.operation must be one of start, clear, state; got ${show(asked)}`);
}

/** Returns the state of an idle alert. Invalid properties are reported when the alert is started. */
export function idleOf(properties: AlertProperties): Omit<AlertState, 'name'> {
  const rest = { state: 'idle', since: null, devices: [], unknown: [], failed: [], waiting: [] } as const;
  try {
    return { ...rest, priority: readPriority(properties, {}), drill: readDrill(properties, {}) };
  } catch {
    return { ...rest, priority: defaultPriority, drill: false };
  }
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Parses a list. An environment variable provides a list as text. */
function listIn(actions: unknown): readonly unknown[] | undefined {
  if (Array.isArray(actions)) return actions;
  try {
    const read: unknown = JSON.parse(String(actions));
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function invalid(reason: string): DeviceError {
  return new DeviceError('INVALID_PARAMETER', `alert: ${reason}; nothing was sent`);
}
