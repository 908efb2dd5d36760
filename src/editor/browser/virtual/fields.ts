export interface CommandField {
  readonly name: string;
  /** The type of the value; a list names all possible values. */
  readonly kind: 'text' | 'number' | 'flag' | readonly string[];
  /**
   * Value that the first field must have so that the row is visible; absent for a row that is always visible.
   */
  readonly only?: string;
  readonly first?: string;
}

const text = (name: string, more: Partial<CommandField> = {}): CommandField => ({
  name,
  kind: 'text',
  ...more,
});
const number = (name: string, more: Partial<CommandField> = {}): CommandField => ({
  name,
  kind: 'number',
  ...more,
});

const faults = [
  ...['latency', 'lost', 'unanswered', 'reset-before', 'reset-after'],
  ...['half', 'garbage', 'content-type', 'status', 'bandwidth', 'not-upgraded'],
];

/** Parameters of commands, as the virtual device reads the parameters (docs/virtual-device.md). */
export const commandFields: Readonly<Record<string, readonly CommandField[]>> = {
  fault: [
    { name: 'kind', kind: faults, first: 'latency' },
    number('ms', { only: 'latency', first: '1000' }),
    number('toMs', { only: 'latency' }),
    { name: 'distribution', kind: ['', 'fixed', 'uniform', 'exponential'], only: 'latency' },
    number('status', { only: 'status' }),
    text('contentType', { only: 'content-type', first: 'text/plain' }),
    number('bytesPerSecond', { only: 'bandwidth', first: '100' }),
    text('route'),
    number('count', { first: '1' }),
    number('chance'),
  ],
  'clear-faults': [number('id')],
  seed: [number('seed', { first: '1' })],
  input: [
    { name: 'name', kind: ['relay', 'relay1', 'relay2'], first: 'relay' },
    { name: 'state', kind: ['closed', 'open', 'disabled'], first: 'closed' },
  ],
  press: [text('id')],
  clock: [number('ahead', { first: '0' })],
  speed: [number('factor', { first: '1' })],
  'next-event': [],
  password: [text('password')],
  api: [{ name: 'on', kind: 'flag', first: 'false' }],
  storage: [{ name: 'full', kind: 'flag', first: 'true' }],
  reboot: [number('seconds', { first: '5' })],
  become: [text('model', { first: '8301' }), text('firmware', { first: '5.7' })],
  call: [
    { name: 'method', kind: ['POST', 'GET', 'PUT', 'DELETE'], first: 'POST' },
    text('target', { first: '127.0.0.1:1880' }),
    text('path', { first: '/' }),
    text('payload'),
    { name: 'auth', kind: ['standard', 'basic', 'none'], first: 'standard' },
  ],
  state: [],
};

export function textsOf(
  fields: readonly CommandField[],
  stored: string,
): Readonly<Record<string, string>> | undefined {
  const given = parsed(stored);
  if (!given) return undefined;
  const texts = Object.entries(given).map(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    const written = String(value);
    return field && jsonOf(field, written) === value ? [name, written] : undefined;
  });
  return texts.includes(undefined) ? undefined : Object.fromEntries(texts as string[][]);
}

export function storedOf(fields: readonly CommandField[], texts: Readonly<Record<string, string>>): string {
  const shown = fields.filter((field) => isShown(field, fields, texts) && (texts[field.name] ?? '') !== '');
  return JSON.stringify(
    Object.fromEntries(shown.map((field) => [field.name, jsonOf(field, texts[field.name] ?? '')])),
  );
}

export function isShown(
  { only }: CommandField,
  [first]: readonly CommandField[],
  texts: Readonly<Record<string, string>>,
): boolean {
  return only === undefined || texts[first?.name ?? ''] === only;
}

function jsonOf({ kind }: CommandField, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  const isNumber = kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
