import { durationIn } from '../../../catalogue/duration';
import type { OverviewAlert, OverviewRow } from '../../../runtime/answers';
import { editorLanguage } from '../language/editor-language';
import {
  alertWords,
  errorWords,
  momentWords,
  nodeWords,
  numberWords,
  operationWords,
  statusWords,
  withColon,
  words,
} from './words';

type StatusLevel = 'good' | 'bad' | 'open';

/** A column of the sidebar. `key` returns the sort key of a row; rows without a key come last. */
export interface Column {
  readonly id: string;
  /** Width in em. */
  readonly width: number;
  text(row: OverviewRow): string;
  key(row: OverviewRow): string | number | undefined;
}

/** All columns, in order. The cells of the first column are the headers of their rows. */
export const columns: readonly Column[] = [
  { id: 'name', width: 7, text: ({ name }) => name, key: ({ name }) => name },
  { id: 'state', width: 9, text: stateWords, key: stateRank },
  {
    id: 'alerts',
    width: 5.5,
    text: ({ alerts, alert }) => (alert ? acknowledgedWords(alert) : listed(alerts)),
    key: ({ alerts }) => alerts && listed(alerts),
  },
  {
    id: 'error',
    width: 13,
    text: ({ error }) => errorWords(error),
    key: ({ error }) => error && -Date.parse(error.at),
  },
  {
    id: 'announcements',
    width: 11,
    text: announcementsWords,
    key: ({ announcements }) =>
      announcements && -announcements.count - Number(Boolean(announcements.playing)),
  },
  {
    id: 'supervision',
    width: 7,
    text: ({ supervision }) => (supervision ? words(`supervision.${supervision.state}`) : ''),
    key: ({ supervision }) => supervision && worstFirst.indexOf(supervision.state),
  },
  {
    id: 'pending',
    width: 6,
    text: (row) => (pendingCount(row) ? numberWords(pendingCount(row)) : ''),
    key: (row) => -pendingCount(row) || undefined,
  },
  {
    id: 'last',
    width: 16,
    text: ({ last, alert }) => (alert ? reportWords(alert.report) : lastWords(last)),
    key: ({ last, alert }) => {
      const at = alert ? alert.report?.startedAt : last?.at;
      return at === undefined ? undefined : -Date.parse(at);
    },
  },
  { id: 'model', width: 7, text: ({ model = '' }) => model, key: ({ model }) => model },
  { id: 'firmware', width: 6, text: ({ firmware = '' }) => firmware, key: ({ firmware }) => firmware },
  {
    id: 'clock',
    width: 6,
    text: ({ clockSeconds }) => clockWords(clockSeconds),
    key: ({ clockSeconds }) => (clockSeconds === undefined ? undefined : -Math.abs(clockSeconds)),
  },
  {
    id: 'roundTrip',
    width: 6,
    text: ({ roundTripMs }) => (roundTripMs === undefined ? '' : `${roundTripMs} ms`),
    key: ({ roundTripMs }) => roundTripMs,
  },
  { id: 'address', width: 15, text: ({ address = '' }) => address, key: ({ address }) => address },
];

const worstFirst: readonly string[] = ['offline', 'fault', 'warning', 'unknown', 'masked', 'ok'];

export function countFitting(list: readonly Column[], width: number): number {
  let left = width;
  const beyond = list.findIndex((column) => {
    left -= column.width;
    return left < 0;
  });
  return beyond < 0 ? list.length : Math.max(1, beyond);
}

export function stateWords(row: OverviewRow): string {
  const state = contactWords(row);
  return row.dryRun ? words('state.dryRun', { state }) : state;
}

function contactWords(row: OverviewRow): string {
  const { kind, alert, members = 0, there = 0, away = 0, rejected, reachable, unset, awaySince } = row;
  if (alert) {
    const { state, active, targets, pending, dryRun = 0 } = alert;
    if (state === 'idle') return alertWords('idle');
    if (state === 'clearing') return alertWords('clearing', { count: String(pending) });
    const on = (done: number) => alertWords('on', { done: String(done), all: String(targets) });
    if (dryRun === 0) return on(active);
    const dry = alertWords('dryRun', { on: on(dryRun) });
    return active === 0 ? dry : `${on(active)}, ${dry}`;
  }
  if (kind === 'group') {
    if (members === 0) return words('state.noMembers');
    const counts = { there: numberWords(there), away: numberWords(away), members: numberWords(members) };
    const numbers = { ...counts, rejected: numberWords(Number(rejected ?? 0)) };
    if (away === 0 && rejected) return words('state.groupRejected', numbers);
    return words(away > 0 ? 'state.groupAway' : 'state.groupThere', numbers);
  }
  if (reachable === undefined)
    return unset === undefined ? words('state.unknown') : words('state.unset', { variable: unset });
  if (reachable) return words(rejected ? 'state.rejected' : 'state.there');
  return awaySince
    ? words('state.awaySince', { time: momentWords(awaySince, 'short') })
    : words('state.away');
}

export function statusLevelOf(row: OverviewRow): StatusLevel {
  const { kind, alert, members = 0, there = 0, away = 0, rejected, reachable, unset } = row;
  if (alert) return { active: 'bad', clearing: 'open', idle: 'good' }[alert.state] as StatusLevel;
  if (rejected) return 'bad';
  if (kind === 'group') return away > 0 ? 'bad' : there === members && members > 0 ? 'good' : 'open';
  if (reachable === undefined) return unset === undefined ? 'open' : 'bad';
  return reachable ? 'good' : 'bad';
}

/**
 * Returns the sort key of a row's state: the worst level comes first; within a level, the device that most
 * recently went offline comes first.
 */
function stateRank(row: OverviewRow): number {
  const rank = { bad: 0, open: 1, good: 2 }[statusLevelOf(row)];
  return rank * 1e15 - (row.awaySince ? Date.parse(row.awaySince) : 0);
}

/**
 * Largest difference at which two clocks count as equal, in seconds: a device reports whole seconds, and the
 * answer takes time.
 */
const clockToleranceSeconds = 1;

/** @param difference difference in seconds; positive if the device's clock is ahead */
export function clockWords(difference: number | undefined): string {
  if (difference === undefined) return '';
  const seconds = Math.abs(difference) <= clockToleranceSeconds ? 0 : difference;
  return `${seconds > 0 ? '+' : seconds < 0 ? '−' : '±'}${durationIn(editorLanguage(), seconds)}`;
}

export function lastWords(last: OverviewRow['last']): string {
  if (!last) return '';
  return `${momentWords(last.at)} ${withColon(operationWords(last.operation), statusWords(last.outcome))}`;
}

function acknowledgedWords({ state, acknowledged }: OverviewAlert): string {
  if (acknowledged === 0 && state !== 'active') return '';
  return words('acknowledged.count', { count: numberWords(acknowledged) });
}

export function reportWords(report: OverviewAlert['report']): string {
  if (!report) return '';
  const { startedAt, targets, reached, held, dryRun = 0, missed } = report;
  const numbers = { targets: numberWords(targets), reached: numberWords(reached) };
  return [
    `${momentWords(startedAt)} ${words('report.reached', numbers)}`,
    ...(missed > 0 ? [words('report.missed', { count: numberWords(missed) })] : []),
    ...(held > 0 ? [words('report.held', { count: numberWords(held) })] : []),
    ...(dryRun > 0 ? [words('report.dryRun', { count: numberWords(dryRun) })] : []),
  ].join(' · ');
}

function announcementsWords({ announcements }: OverviewRow): string {
  const { playing, count = 0 } = announcements ?? {};
  return [
    ...(playing ? [words('announcements.playing', { node: nodeWords(playing.node) })] : []),
    ...(count > 0 ? [words('announcements.waiting', { count: numberWords(count) })] : []),
  ].join(' · ');
}

function pendingCount({ pending, alert }: OverviewRow): number {
  return alert ? alert.pending : (pending?.filter(({ waitsFor }) => waitsFor === undefined).length ?? 0);
}

function listed(names: readonly string[] = []): string {
  return names.join(', ');
}
