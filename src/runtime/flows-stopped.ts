import type { NodeAPI } from 'node-red';

/**
 * Whether all flows have been stopped. A deploy of what was changed lets the others run, also for as long as it is
 * not over: where a type of node is missing it never is, and Node-RED says no more of it.
 * @param stop what comes with Node-RED's `flows:stopped`
 */
export function stopsAll(stop: unknown): boolean {
  const { type } = Object(stop) as { readonly type?: unknown };
  return type !== 'nodes' && type !== 'flows';
}

/**
 * Whether a user has stopped the flows, so that nothing starts them again by itself. Node-RED says the same of a
 * deploy and of its own end, and notes a user's stop in its settings before it stops anything.
 */
export function isStoppedByUser({ settings }: Pick<NodeAPI, 'settings'>): boolean {
  const { get } = Object(settings) as { readonly get?: (name: string) => unknown };
  try {
    return get?.('runtimeFlowState') === 'stop';
  } catch {
    // Settings that are not there yet.
    return false;
  }
}

/** What is due within this time is sent before a user's stop of the flows, in milliseconds. */
export const soonMs = 60_000;

/** Node-RED gives a node 15 s to close: devices stay until then for what is asked before flows stop, in milliseconds. */
const maxWaitMs = 10_000;

/** One line of log names up to so many things. */
const maxNamed = 50;

/** What is being sent before a stop, by Node-RED's user directory: tests start several in one process. */
const known = new Map<string, Set<Promise<unknown>>>();

/**
 * Has something sent before a user's stop of the flows, while devices are still there.
 * @param send resolves when it is over, and never rejects; undefined where there is nothing to send
 * @param after the timer of the limit
 */
export function onUserStops(
  { events, settings }: Pick<NodeAPI, 'events' | 'settings'>,
  send: () => Promise<unknown> | undefined,
  after: (ms: number, task: () => void) => () => void = unreferenced,
): void {
  events.on('flows:stopping', (stop: unknown) => {
    const work = stopsAll(stop) && isStoppedByUser({ settings }) ? send() : undefined;
    if (!work) return;
    const directory = settings?.userDir ?? '';
    const works = known.get(directory) ?? new Set();
    known.set(directory, works);
    let cancel = () => {};
    const limit = new Promise<void>((resolve) => {
      cancel = after(maxWaitMs, resolve);
    });
    const bounded = Promise.race([work, limit]).finally(() => {
      cancel();
      works.delete(bounded);
    });
    works.add(bounded);
  });
}

/** Resolves when devices may close; undefined where they may at once. */
export function lastSent({ settings }: Pick<NodeAPI, 'settings'>): Promise<unknown> | undefined {
  const works = known.get(settings?.userDir ?? '');
  return works && works.size > 0 ? Promise.all(works) : undefined;
}

/** Names in the log what nobody sends until the flows start again. */
export function warnOfUnsent({ log }: Pick<NodeAPI, 'log'>, left: readonly string[]): void {
  if (left.length === 0) return;
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  const named = left.slice(0, maxNamed).join(', ');
  log.warn(`[algo] The flows are stopped. Until they start again, Node-RED does not send: ${named}${more}`);
}

/** Nothing here keeps Node-RED from ending. */
function unreferenced(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
