import type { AlertView } from '../alert/alerts';
import type {
  OverviewAlert,
  OverviewAnnouncement,
  OverviewAnnouncements,
  OverviewChange,
  OverviewRow,
  OverviewSupervision,
  PendingCommand,
} from '../answers';
import type { Device } from '../device/device';
import type { LastError } from '../device/record';
import type { DeviceGroup } from '../device/registry';
import { deviceStates, keyOf, type PersistedDevice } from '../supervision/finding';

export interface DeviceActivity {
  readonly alerts: readonly string[];
  readonly pending: readonly PendingCommand[];
  readonly announcements?: OverviewAnnouncements | undefined;
  readonly supervision?: OverviewSupervision | undefined;
}

const maxTextLength = 1_000;
const maxSentenceLength = 4_000;
/** Maximum number of findings, of waiting announcements, of acknowledgements, and of missed actions of a row. */
const maxListed = 20;

export function rowOf(
  device: Device,
  activity: DeviceActivity | undefined,
  groups: readonly string[] | undefined,
): OverviewRow {
  const { record, status, recognition } = device;
  const { model, firmware, reachable, isRejected, lastSeen, clockOffsetMs, roundTripMs } = record;
  const { awaySince, last, lastError } = status;
  return known({
    id: device.id,
    kind: 'device',
    name: cut(device.name),
    address: cut(device.url ?? device.address) || undefined,
    product: recognition.about.product,
    model,
    firmware,
    mac: recognition.about.mac,
    reachable,
    rejected: isRejected || undefined,
    unset: device.unsetVariable,
    dryRun: device.dryRun || undefined,
    awaySince: awaySince === undefined ? undefined : new Date(awaySince).toISOString(),
    lastSeen: lastSeen ?? undefined,
    clockSeconds: clockOffsetMs === undefined ? undefined : Math.round(clockOffsetMs / 1000),
    roundTripMs: roundTripMs === undefined ? undefined : Math.round(roundTripMs),
    last,
    error: lastError && errorOf(lastError),
    alerts: activity?.alerts.length ? activity.alerts : undefined,
    announcements: activity?.announcements,
    supervision: activity?.supervision,
    pending: activity?.pending.length ? activity.pending : undefined,
    groups: groups?.length ? groups : undefined,
  });
}

/** Returns the error of a row. A long localized reason is left out, since comparing long texts takes time. */
function errorOf({ localizedReason, ...error }: LastError): OverviewRow['error'] {
  const isShort =
    localizedReason !== undefined && JSON.stringify(localizedReason).length <= maxSentenceLength;
  return { ...error, ...(isShort && { localizedReason }) };
}

export function groupRowOf({ id, name, members }: DeviceGroup): OverviewRow {
  const seen = members.map(({ device }) => device?.record.reachable);
  const rejected = members.filter(({ device }) => device?.record.isRejected).length;
  const there = seen.filter((reachable) => reachable === true).length - rejected;
  const away = seen.filter((reachable) => reachable === false).length;
  return {
    id,
    kind: 'group',
    name: cut(name),
    members: members.length,
    there,
    away,
    ...(rejected > 0 && { rejected }),
  };
}

export function alertRowOf({ id, state: alert, targets, report }: AlertView): OverviewRow {
  const { name, state, active, pending, dryRun, acknowledged } = alert;
  const people = acknowledged
    .slice(-maxListed)
    .map(({ by, at, answer }) => ({ by, at, ...(answer !== undefined && { answer }) }));
  return {
    id,
    kind: 'alert',
    name: cut(name),
    alert: {
      ...{ state, active: active.length, targets, pending: pending.length },
      ...(dryRun > 0 && { dryRun }),
      acknowledged: acknowledged.length,
      ...(people.length > 0 && { people }),
      ...(report && { report: reportOf(report) }),
    },
  };
}

function reportOf(report: NonNullable<AlertView['report']>): NonNullable<OverviewAlert['report']> {
  const { drill, startedAt, startedBy, clearedAt, clearedBy, targets, reached, held, missed } = report;
  const { dryRun } = report;
  const list = missed.slice(0, maxListed).map(({ device, operation, outcome, reason }) => ({
    ...{ device: cut(device), operation, outcome, ...(reason !== null && { reason }) },
  }));
  return {
    ...{ drill, startedAt, targets, reached, held },
    ...(dryRun > 0 && { dryRun }),
    ...(startedBy !== null && { startedBy }),
    ...(clearedAt !== null && { clearedAt }),
    ...(clearedBy !== null && { clearedBy }),
    missed: new Set(missed.map(({ device }) => device)).size,
    ...(list.length > 0 && { list }),
  };
}

export function supervisionOf({
  condition,
  maskedUntil,
  since,
  findings,
}: PersistedDevice): OverviewSupervision {
  const checks = findings.slice(0, maxListed).map((finding) => cut(keyOf(finding)));
  return {
    state: maskedUntil === undefined ? condition : 'masked',
    since: new Date(since).toISOString(),
    ...(checks.length > 0 && { checks }),
  };
}

/** Returns the announcements that play or wait at a device; undefined if there are none. */
export function announcementsIn({
  playing,
  waiting,
}: {
  readonly playing: OverviewAnnouncement | null;
  readonly waiting: readonly OverviewAnnouncement[];
}): OverviewAnnouncements | undefined {
  if (!playing && waiting.length === 0) return undefined;
  const shown = ({ node, priority }: OverviewAnnouncement) => ({ node: cut(node), priority });
  return {
    ...(playing && { playing: shown(playing) }),
    waiting: waiting.slice(0, maxListed).map(shown),
    count: waiting.length,
  };
}

export function worseOf(
  one: OverviewSupervision | undefined,
  other: OverviewSupervision,
): OverviewSupervision {
  if (!one) return other;
  return deviceStates.indexOf(other.state) < deviceStates.indexOf(one.state) ? other : one;
}

export function changeOf(before: OverviewRow | undefined, now: OverviewRow): OverviewChange | undefined {
  if (!before) return now;
  if (before === now) return undefined;
  const names = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof OverviewRow>;
  const changed = [...names].filter((name) => !isSame(before[name], now[name]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries([['id', now.id], ...changed.map((name) => [name, now[name] ?? null])]);
}

/**
 * Whether two values of a row are equal. Comparing their JSON is enough, since all rows are built with the
 * same order of keys.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return (
    typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
  );
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function known(row: { readonly [name in keyof OverviewRow]: OverviewRow[name] | undefined }): OverviewRow {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as OverviewRow;
}
