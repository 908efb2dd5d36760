import { isRecord } from '../../json';
import { type CheckName, type Condition, checkNames, conditions, type Finding } from './finding';

export interface ReportedState {
  readonly condition: Condition;
  readonly keys: readonly string[];
}

export interface PersistedDevice {
  readonly name: string;
  readonly where?: string;
  readonly condition: Condition;
  readonly previous: Condition;
  readonly since: number;
  readonly findings: readonly Finding[];
  readonly notChecked: readonly string[];
  readonly missed: number;
  readonly reported?: ReportedState;
  /** End of the mask in epoch milliseconds; absent if there is no mask. */
  readonly maskedUntil?: number;
}

export function parsePersistedDevice(value: unknown): PersistedDevice | undefined {
  if (!isRecord(value)) return undefined;
  const { name, where, condition, previous, since, findings, notChecked, missed, reported, maskedUntil } =
    value;
  const isUnderstood =
    typeof name === 'string' &&
    isOptionalText(where) &&
    isCondition(condition) &&
    isCondition(previous) &&
    isTime(since) &&
    Array.isArray(findings) &&
    findings.every(isFinding) &&
    isTexts(notChecked) &&
    Number.isSafeInteger(missed) &&
    (reported === undefined ||
      (isRecord(reported) && isCondition(reported.condition) && isTexts(reported.keys))) &&
    (maskedUntil === undefined || isTime(maskedUntil));
  return isUnderstood ? (value as unknown as PersistedDevice) : undefined;
}

function isFinding(value: unknown): value is Finding {
  return (
    isRecord(value) &&
    checkNames.includes(value.check as CheckName) &&
    isOptionalText(value.subject) &&
    typeof value.reason === 'string' &&
    typeof value.message === 'string'
  );
}

function isCondition(value: unknown): value is Condition {
  return conditions.includes(value as Condition);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
