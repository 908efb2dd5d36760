import type { Text } from '../../catalogue/localized-message';
import { type Fault, faultOf, limitReason, sentenceOf } from '../../catalogue/sentence';
import { count, either, list, number, type Of, oneOf, open, text, time } from '../../kernel/shape';

export const checkNames = [
  'contact',
  'login',
  'trust',
  'clock',
  'firmware',
  'sip',
  'settings',
  'files',
  'certificate',
  'dry-run',
] as const;

export type CheckName = (typeof checkNames)[number];

const value = either(either(text(), number()), oneOf(null));
const finding = open(
  {
    check: oneOf(...checkNames),
    /** The problem in short, for people: at most 100 characters, without the device, its address and words of it. */
    reason: text(),
    /** The whole sentence, which begins with the reason. Never contains a secret. */
    message: text(),
    expected: value,
    actual: value,
  },
  /** The setting or the file that the finding is about; absent if the check is about neither. */
  { subject: text() },
);

export type Finding = Of<typeof finding>;

/** The words of a finding, or of the error behind a finding. */
export type FindingWords = Pick<Finding, 'reason' | 'message'>;

export function wordsFor(words: Text | Fault): FindingWords {
  const isFault = typeof words === 'object' && 'details' in words;
  const fault = isFault ? limitReason(words) : faultOf(words);
  return { reason: String(fault.reason), message: String(sentenceOf(fault)) };
}

export type CheckResult =
  | {
      readonly kind: 'answered';
      readonly findings: readonly Finding[];
      /**
       * Checks that were not possible, for example because the model or the firmware does not support the
       * request.
       */
      readonly notChecked: readonly string[];
    }
  | {
      /** The device gave no usable answer, or no request can be sent to the device. */
      readonly kind: 'missed';
      readonly finding: Finding;
      /**
       * Whether this single result proves that the device is offline: its settings in Node-RED are invalid,
       * so that no request can be sent.
       */
      readonly isCertain?: boolean;
    };

export const conditions = ['offline', 'fault', 'warning', 'unknown', 'ok'] as const;

export type Condition = (typeof conditions)[number];

export const deviceStates = ['offline', 'fault', 'warning', 'unknown', 'masked', 'ok'] as const;

export type DeviceState = (typeof deviceStates)[number];

const condition = oneOf(...conditions);
const reported = open(
  { condition, keys: list(text()) },
  /** True from a restart until the device is told again; only for nodes with `initial`. */
  { isBeforeRestart: oneOf(true) },
);

/** The condition and the findings, by their keys, that were last told of a device. */
export type ReportedState = Of<typeof reported>;

/** The state of a device, as the journal has it. All times are in epoch milliseconds. */
export const persistedDevice = open(
  {
    name: text(),
    condition,
    previous: condition,
    since: time,
    findings: list(finding),
    notChecked: list(text()),
    /** Number of consecutive checks without an answer, at most `misses` of the node. */
    missed: count,
  },
  {
    where: text(),
    reported,
    /** End of the mask; absent if there is no mask. */
    maskedUntil: time,
  },
);

export type PersistedDevice = Of<typeof persistedDevice>;

const ofCheck: Readonly<Record<CheckName, Condition>> = {
  contact: 'offline',
  login: 'fault',
  trust: 'fault',
  clock: 'warning',
  firmware: 'warning',
  sip: 'warning',
  settings: 'warning',
  files: 'warning',
  certificate: 'warning',
  'dry-run': 'warning',
};

export function conditionOf(findings: readonly Finding[]): Condition {
  const found = new Set(findings.map(({ check }) => ofCheck[check]));
  return conditions.find((condition) => found.has(condition)) ?? 'ok';
}

export function keyOf({ check, subject }: Finding): string {
  return subject === undefined ? check : `${check} ${subject}`;
}

export function keysOf(findings: readonly Finding[]): readonly string[] {
  return findings.map(keyOf).sort();
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
