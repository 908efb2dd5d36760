/**
 * A page on supervision, written from the contract alone. It keeps all that happened and works each answer out anew, so
 * it shares no thought with the engine, which keeps states.
 */

/** One check of a device: what it found, by check and subject; or undefined, when there was no answer. */
export interface Check {
  readonly at: number;
  readonly found: readonly string[] | undefined;
  /** How many checks without an answer made a device offline then. */
  readonly misses: number;
}

export interface Shown {
  readonly state: string;
  readonly previous: string;
  readonly since: number;
  readonly found: readonly string[];
}

const worst = ['offline', 'fault', 'warning'];

function stateOf(found: readonly string[]): string {
  const states = found.map((one): string => {
    const [check = ''] = one.split(' ');
    if (check === 'contact') return 'offline';
    return check === 'login' || check === 'trust' ? 'fault' : 'warning';
  });
  return worst.find((state) => states.includes(state)) ?? 'ok';
}

/** The findings after each check, of those that changed or repeated them; the others leave all as it was. */
function results(checks: readonly Check[]): { readonly at: number; readonly found: readonly string[] }[] {
  const all: { readonly at: number; readonly found: readonly string[] }[] = [];
  let inRow = 0;
  for (const { at, found, misses } of checks) {
    inRow = found ? 0 : inRow + 1;
    const isOffline = inRow >= misses || all.at(-1)?.found.includes('contact');
    if (found) all.push({ at, found });
    else if (isOffline) all.push({ at, found: ['contact'] });
  }
  return all;
}

/** Returns the entry of a report for a device that was first known at this time. */
export function shown(bornAt: number, checks: readonly Check[]): Shown {
  const states = [
    { at: bornAt, found: [] as readonly string[], state: 'unknown' },
    ...results(checks).map(({ at, found }) => ({ at, found, state: stateOf(found) })),
  ];
  const changes = states.filter(({ state }, index) => state !== states[index - 1]?.state);
  const [before, last] = [changes.at(-2), changes.at(-1)];
  return {
    state: last?.state ?? 'unknown',
    previous: before?.state ?? 'unknown',
    since: last?.at ?? bornAt,
    found: states.at(-1)?.found ?? [],
  };
}

/** When a mask began and ended. */
export interface Mask {
  readonly from: number;
  readonly to: number;
}

/** A change on the first output. */
export interface StateChange {
  readonly at: number;
  readonly state: string;
  readonly previous: string;
  readonly found: readonly string[];
  readonly initial: boolean;
}

/** All that is told of a device until now: what differs from the last told, at each check and at the end of masks. */
export function expectedChanges(
  checks: readonly Check[],
  masks: readonly Mask[],
  now: number,
  /** With `initial`: the times of the restarts. */
  restarts?: readonly number[],
): StateChange[] {
  const isMasked = (at: number) => masks.some(({ from, to }) => from <= at && at < to);
  const moments = [...results(checks).map(({ at }) => at), ...masks.map(({ to }) => to)].filter(
    (at) => at <= now,
  );
  const all: StateChange[] = [];
  let last: { readonly state: string; readonly found: readonly string[] } | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const at of [...new Set(moments)].sort((a, b) => a - b)) {
    const known = results(checks.filter((check) => check.at <= at)).at(-1);
    if (!known || isMasked(at)) continue;
    const next = { state: stateOf(known.found), found: [...known.found].sort() };
    const isSame = JSON.stringify(next) === JSON.stringify(last ?? { state: 'ok', found: [] });
    const isFirst = !last || restarts?.some((restart) => lastAt < restart && restart < at);
    const initial = Boolean(restarts && isFirst);
    if (!isSame || initial) all.push({ at, ...next, previous: last?.state ?? 'unknown', initial });
    last = next;
    lastAt = at;
  }
  return all;
}
