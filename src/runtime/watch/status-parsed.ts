import { textOf } from './reading';

/**
 * The value of `msg.parsed`: the texts of the status record (docs/interface.md, section 2.3) as values that a
 * flow can compare. A text that cannot be parsed stays a text.
 */
type Parsed = Readonly<Record<string, unknown>>;

type Parse = (text: string) => unknown;

const maxTextLength = 10_000;

const parsers: readonly (readonly [name: string, field: string, parse: Parse])[] = [
  ['call', 'Call Status', callIn],
  ['multicast', 'Multicast Mode', multicastIn],
  ['sip', 'SIP Registration', sipIn],
  ['nextEvent', 'Next Scheduled Event', nextEventIn],
  ['volume', 'Volume', volumeIn],
  ['panicButtons', 'Panic Button Status', buttonsIn],
  ['virtualPanicButtons', 'Virtual Panic Button Status', buttonsIn],
  ['temperature', 'Temperature', temperatureIn],
];

export function parseStatus(record: Readonly<Record<string, unknown>>): Parsed {
  const found = parsers.flatMap(([name, field, parse]) => {
    if (!Object.hasOwn(record, field)) return [];
    const text = textOf(record[field]);
    const parsed = text.length > maxTextLength ? undefined : parse(text);
    return [[name, parsed === undefined ? text : parsed]];
  });
  return Object.fromEntries(found);
}

const callStates = ['Idle', 'Ringing', 'Connected', 'Recording Message', 'Playing Delayed Page'];

function callIn(text: string): unknown {
  const state = callStates.find((one) => one.toLowerCase() === text.trim().toLowerCase());
  return state && { active: state !== 'Idle', state };
}

function multicastIn(text: string): unknown {
  const [, mode, state] = /^\s*(Disabled|Receiver|Transmitter)\b(?:\W*\b(Active|Idle)\b)?/i.exec(text) ?? [];
  // A mode without a state must not be read as idle, except the mode Disabled.
  if (!mode || (!state && mode.toLowerCase() !== 'disabled')) return undefined;
  return { active: state?.toLowerCase() === 'active', mode: mode.toLowerCase() };
}

const sipStates = [
  'No Account',
  'Attempting to contact server...',
  'Successful',
  'Deregistered',
  'Authenticating...',
  'Rejected by server',
  'Rejected',
  'No reply from server',
];

/**
 * Parses `"Main, No Account;BK1, Rejected, 100;"`: account, state, extension. The entry of a single account
 * can be only its state.
 */
function sipIn(text: string): unknown {
  const entries = text.split(';').filter((entry) => entry.trim() !== '');
  const accounts = entries.map((entry) => {
    const parts = entry.split(',').map((part) => part.trim());
    const [account, state] = parts.length === 1 ? ['', parts[0]] : parts;
    const known = sipStates.find((one) => one.toLowerCase() === state?.toLowerCase());
    const extension = parts[2] && { extension: parts[2] };
    return known && { account, registered: known === 'Successful', state: known, ...extension };
  });
  return accounts.length > 0 && accounts.every(Boolean) ? accounts : undefined;
}

/**
 * Parses name, date and time of an event; null if no event is scheduled. Skips the name of the audio, since
 * the interface document does not define the separators.
 */
function nextEventIn(text: string): unknown {
  if (/^\s*No Events Scheduled/i.test(text)) return null;
  // A name can also contain a date or a time, so the pattern requires a date directly before a time.
  const both = /(?<=[,\s])(\d{4}-\d{2}-\d{2})[,\sT]{1,9}(\d{1,2}:\d{2}(?::\d{2})?)(?![\d:])/;
  const found = both.exec(text);
  if (!found) return undefined;
  const name = text.slice(0, found.index).trim().replace(/,$/, '').trimEnd();
  return name === '' ? undefined : { name, date: found[1], time: found[2] };
}

function volumeIn(text: string): unknown {
  const whole = /(?<![\d.])(-?\d{1,4}(?:\.\d{1,4})?)\s{0,9}\(([+-]?\d{1,4}(?:\.\d{1,4})?)\s{0,9}dB\)/i;
  const [, level, dB] = whole.exec(text) ?? [];
  return level === undefined ? undefined : { level: Number(level), dB: Number(dB) };
}

/**
 * Parses buttons: location, description and state, separated by commas. The interface document does not
 * define the separators.
 */
function buttonsIn(text: string): unknown {
  const buttons = text.split(/[;\n]/).filter((entry) => entry.trim() !== '');
  const parsed = buttons.map((entry) => {
    const [location, description, state, ...rest] = entry.split(',').map((part) => part.trim());
    return state === undefined || rest.length > 0 ? undefined : { location, description, state };
  });
  return parsed.length > 0 && parsed.every(Boolean) ? parsed : undefined;
}

const degreeSigns = ['', 'C', 'F', '°', '°C', '°F'];

function temperatureIn(text: string): unknown {
  const [, degrees, sign = ''] = /^(-?\d{1,4}(?:\.\d{1,4})?)(.*)$/s.exec(text.trim()) ?? [];
  const isSign = degreeSigns.includes(sign.replace(/\s/g, '').toUpperCase());
  return degrees !== undefined && isSign ? Number(degrees) : undefined;
}
