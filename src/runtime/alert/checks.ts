import { isRecord } from '../../json';

export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isTextOrNull: Check = (value) => value === null || isText(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
export const isTime: Check = (value) => Number.isFinite(value);
export const isTimeOrNull: Check = (value) => value === null || isTime(value);
export const isFlag: Check = (value) => typeof value === 'boolean';

export function isWith(checks: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value) =>
    isRecord(value) &&
    Object.entries(checks).every(([name, check]) => check(value[name])) &&
    Object.entries(optional).every(([name, check]) => value[name] === undefined || check(value[name]));
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** A device under one of its names, as the journal stores it. */
export const isNamed = isWith({ id: isText, name: isText }, { where: isText, ownPassword: isFlag });
