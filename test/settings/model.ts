import type { Fault } from './settings-device';

/** A profile and what the device makes of it. */
export interface ApplyStep {
  readonly kind: 'apply' | 'compare';
  readonly profile: Readonly<Record<string, string>>;
  readonly reload: boolean;
  /** The fault of the next write; undefined for a write that succeeds. */
  readonly fault: Fault | undefined;
  /** The name whose value the device stores as `-9dB`, whatever it is told. */
  readonly bends: string | undefined;
  /** Whether reads have no answer: those before the write, or those after it. */
  readonly blind: 'before' | 'after' | undefined;
}

export interface Expected {
  readonly outcome: string;
  readonly code: string | undefined;
  readonly response: unknown;
  /** The writes and reloads that reach the device. */
  readonly changes: readonly string[];
}

/** The promises of docs/contract.md for a profile at a device with these settings, which are changed as the device does. */
export function expectedOf(settings: Map<string, string>, step: ApplyStep): Expected {
  const { kind, profile, reload, fault, bends, blind } = step;
  const before = new Map(settings);
  const known = Object.keys(profile).filter((name) => before.has(name));
  const unknown = Object.keys(profile).filter((name) => !before.has(name));
  const differing = known.filter((name) => before.get(name) !== profile[name]);
  const same = known.length - differing.length;
  if (blind === 'before') {
    const outcome = kind === 'apply' ? 'failed' : 'unknown';
    return { outcome, code: 'PROTOCOL', response: undefined, changes: [] };
  }
  if (known.length === 0) return { outcome: 'failed', code: 'REFUSED', response: undefined, changes: [] };
  if (kind === 'compare') {
    const different = differing.map((name) => [name, { is: before.get(name), wanted: profile[name] }]);
    const response = { same, different: Object.fromEntries(different), unknown };
    return { outcome: 'accepted', code: undefined, response, changes: [] };
  }
  const changed = () => {
    const names = known.filter((name) => settings.get(name) !== before.get(name));
    return Object.fromEntries(names.map((name) => [name, { was: before.get(name), is: settings.get(name) }]));
  };
  const ended = (outcome: string, code: string | undefined, changes: readonly string[]): Expected => ({
    ...{ outcome, code, changes },
    response: { same, changed: changed(), unknown },
  });
  if (differing.length === 0) return ended('confirmed', undefined, []);
  const write = `PUT ${differing.join(',')}`;
  const stored =
    fault === 'lost-before' || fault === 'refused'
      ? []
      : fault?.endsWith('half')
        ? differing.slice(0, 1)
        : differing;
  for (const name of stored) settings.set(name, name === bends ? '-9dB' : (profile[name] ?? ''));
  const isBlind = blind === 'after';
  if (fault?.startsWith('refused'))
    return isBlind
      ? { outcome: 'failed', code: 'REFUSED', response: undefined, changes: [write] }
      : ended('failed', 'REFUSED', [write]);
  const isAsWanted = differing.every((name) => settings.get(name) === profile[name]);
  // A connection that breaks before an answer: the write, which is safe to repeat, is sent once more.
  const writes = fault === undefined ? [write] : [write, write];
  if (fault !== undefined && isBlind)
    return { outcome: 'unknown', code: 'PROTOCOL', response: undefined, changes: writes };
  if (fault !== undefined && !isAsWanted) {
    const isUntouched = differing.every((name) => settings.get(name) === before.get(name));
    return ended(isUntouched ? 'failed' : 'unknown', 'PROTOCOL', writes);
  }
  const changes = reload ? [...writes, 'reload'] : writes;
  if (isBlind) {
    const wanted = differing.map((name) => [name, { was: before.get(name), is: profile[name] }]);
    const response = { same, changed: Object.fromEntries(wanted), unknown };
    return { outcome: 'accepted', code: undefined, response, changes };
  }
  return isAsWanted ? ended('confirmed', undefined, changes) : ended('failed', 'PROTOCOL', changes);
}
