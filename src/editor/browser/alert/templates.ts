import type { OperationName } from '../../../catalogue/operation-name';

type Value = string | number | boolean;

export interface AlertTemplate {
  readonly id: string;
  readonly priority: number;
  /** Auto-stop time in seconds. */
  readonly endAfter?: number;
  readonly actions: readonly (readonly [operation: OperationName, given: Readonly<Record<string, Value>>])[];
}

const text = '{text}';

/**
 * Duration of a weather alert in seconds. The devices themselves stop the strobe and the text after this
 * time, even if Node-RED is not running.
 */
const weatherAlertSeconds = 1_800;

export const templates: readonly AlertTemplate[] = [
  {
    id: 'lockdown',
    priority: 9,
    actions: [
      ['emergency/start', { announcement: 1 }],
      ['strobe/start', { pattern: 'fast', color1: 'red', ledlvl: 'high' }],
      ['screen/text-start', { textContent: text, persistent: true }],
    ],
  },
  {
    id: 'evacuation',
    priority: 10,
    actions: [
      ['tone/start', { path: 'warble3-high.wav', loop: true }],
      ['strobe/start', { pattern: 'fast', color1: 'amber', ledlvl: 'high' }],
      ['screen/text-start', { textContent: text, persistent: true }],
      ['door/unlock', { doorid: 'local' }],
    ],
  },
  {
    id: 'weather',
    priority: 4,
    endAfter: weatherAlertSeconds,
    actions: [
      ['tone/start', { path: 'gong.wav', loop: false }],
      ['strobe/start', { pattern: 'slow', color1: 'blue', ledlvl: 'medium', duration: weatherAlertSeconds }],
      ['screen/text-start', { textContent: text, duration: weatherAlertSeconds }],
    ],
  },
  {
    id: 'medical',
    priority: 7,
    actions: [
      ['tone/start', { path: 'chime.wav', loop: false }],
      ['strobe/start', { pattern: 'slow', color1: 'green', ledlvl: 'high' }],
      ['screen/text-start', { textContent: text, persistent: true }],
    ],
  },
];

export function actionsOf({ id, actions }: AlertTemplate, translate: Translate): object[] {
  return actions.map(([operation, given]) => {
    const form = Object.entries(given).map(([name, value]) => {
      const shown = value === text ? translate(`template.${id}.text`) : String(value);
      return [name, { type: typeOf(value), value: shown }];
    });
    return { operation, form: Object.fromEntries(form) };
  });
}

function typeOf(value: Value): string {
  if (typeof value === 'number') return 'num';
  return typeof value === 'boolean' ? 'bool' : 'str';
}
