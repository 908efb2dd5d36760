import type { Bell, GivenBell, Occurrence } from './bell';
import { dateOf, datesOf, daysIn, wholeTime } from './calendar';
import { type DeviceEvent, isEnabled, isRemovedAfterwards, textOf } from './database';
import { maxRuleLength } from './rule';

interface Wanted {
  readonly bell: Bell;
  readonly occurrence: Occurrence;
  readonly event?: DeviceEvent | undefined;
}

export function eventOf({ fields, given }: Bell, occurrence: Occurrence, tag: string): GivenBell {
  const { start, rrule, exdate, rdate } = occurrence;
  return {
    ...fields,
    name: given.name,
    start_date: dateOf(start),
    start_time: given.time,
    rrule,
    ...(exdate !== '' && { exdate }),
    ...(rdate !== '' && { rdate }),
    tag,
  };
}

export function wantedOf({ bell, occurrence, event }: Wanted): GivenBell {
  const { exdate, rdate } = occurrence;
  const fields = eventOf(bell, occurrence, event ? textOf(event, 'tag') : '');
  return { ...event, ...fields, ...(bell.isEnabled && { enabled: 1 }), exdate, rdate };
}

/**
 * Returns the fields of an existing event that must change to match a bell; empty if none. Fields that
 * `eventOf` does not set stay unchanged, except `exdate`, `rdate`, `enabled` and `auto_remove`.
 */
export function changesOf(event: DeviceEvent, bell: Bell, occurrence: Occurrence): GivenBell {
  const wanted: GivenBell = { exdate: '', rdate: '', ...eventOf(bell, occurrence, textOf(event, 'tag')) };
  const changes = Object.entries(wanted).filter(
    ([name, value]) => name !== 'enabled' && isOther(name, value, event, occurrence),
  );
  const isSwitched = bell.isEnabled !== isEnabled(event);
  return {
    ...Object.fromEntries(changes),
    ...(isSwitched && { enabled: bell.isEnabled ? 1 : 0 }),
    // An event of the operation `ring` can have `auto_remove`. The device must not delete the event of a
    // bell.
    ...(isRemovedAfterwards(event) && { auto_remove: 0 }),
  };
}

function isOther(name: string, wanted: unknown, event: DeviceEvent, occurrence: Occurrence): boolean {
  const found = event[name];
  if (wanted === found) return false;
  if (name === 'exdate' || name === 'rdate') return knownDates(occurrence, name) !== knownDates(event, name);
  return comparable(name, wanted) !== comparable(name, found);
}

/**
 * Cache: the sorted days of each event and each occurrence. An event can have thousands of days and is
 * compared with many bells.
 */
const ordered = new WeakMap<object, Map<string, string>>();

function knownDates(owner: Occurrence | DeviceEvent, name: 'exdate' | 'rdate'): string {
  const known = ordered.get(owner) ?? new Map<string, string>();
  ordered.set(owner, known);
  const dates = known.get(name) ?? datesOf(daysIn(owner[name]));
  known.set(name, dates);
  return dates;
}

/** Returns a normalized form, since a device can return a value in a different form than it received. */
function comparable(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (name === 'start_time') return wholeTime(text);
  if (name === 'color') return text.toLowerCase();
  return name === 'rrule' ? comparableRule(text) : text;
}

function comparableRule(rule: string): string {
  if (rule.length > maxRuleLength) return rule;
  const components = rule
    .toUpperCase()
    .split(';')
    .filter((part) => part !== '' && part !== 'INTERVAL=1');
  const ordered = components.map((part) => {
    const [name, value = ''] = part.split('=');
    if (name === 'UNTIL') return `UNTIL=${value.slice(0, 8)}`;
    return name === 'BYDAY' ? `BYDAY=${value.split(',').sort().join(',')}` : part;
  });
  return ordered.sort().join(';');
}
