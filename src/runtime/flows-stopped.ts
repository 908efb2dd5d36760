import type { NodeAPI } from 'node-red';
import { PerNodeRed } from './per-node-red';

/**
 * Whether all flows stop, not only the modified nodes or flows of a deploy.
 * @param stop the data of Node-RED's event `flows:stopping` or `flows:stopped`
 */
export function stopsAll(stop: unknown): boolean {
  const { type } = Object(stop) as { readonly type?: unknown };
  return type !== 'nodes' && type !== 'flows';
}

/** Signals on which Node-RED ends. */
const endSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'];

let isEnding = false;

const followed = new WeakSet<object>();

/**
 * Notices the signals on which Node-RED ends. A listener is added only where the program handles the signal
 * itself: otherwise the listener would keep the signal from ending the process.
 */
function followSignals({ events }: Pick<NodeAPI, 'events'>): void {
  if (followed.has(events)) return;
  followed.add(events);
  events.on('flows:started', () => {
    isEnding = false;
    for (const signal of endSignals) {
      if (process.listenerCount(signal) === 0 || process.listeners(signal).includes(noteEnd)) continue;
      process.prependListener(signal, noteEnd);
    }
  });
}

function noteEnd(): void {
  isEnding = true;
}

/**
 * Whether the flows stop for good: a user has stopped them, or Node-RED ends. Node-RED emits the same events
 * for a deploy. But it stores `stop` in its settings before the flows stop only if a user stops the flows,
 * and the process gets a signal before Node-RED ends.
 */
export function isStoppedForGood({ settings }: Pick<NodeAPI, 'settings'>): boolean {
  if (isEnding) return true;
  const { get } = Object(settings) as { readonly get?: (name: string) => unknown };
  try {
    return get?.('runtimeFlowState') === 'stop';
  } catch {
    // The settings are not available yet.
    return false;
  }
}

/**
 * When the flows stop for good, Node-RED first sends the stops of doors, relays and 24 V outputs that are due
 * within this time, in milliseconds.
 */
export const soonMs = 60_000;

/**
 * Maximum time for which devices stay open for commands before the flows stop, in milliseconds. Shorter than
 * the 15 s for which Node-RED waits for a node to close.
 */
const maxWaitMs = 10_000;

const maxNamed = 50;

/** The sends that must end before the devices close. */
const sends = new PerNodeRed<Set<Promise<unknown>>, Pick<NodeAPI, 'settings'>>(() => new Set());

/**
 * Calls `send` when the flows stop for good, and keeps the devices open until the commands are sent, but at
 * most `maxWaitMs`.
 * @param send returns a promise that never rejects; undefined if there is nothing to send
 * @param after starts the timer of the time limit
 */
export function onStopForGood(
  RED: Pick<NodeAPI, 'events' | 'settings'>,
  send: () => Promise<unknown> | undefined,
  after: (ms: number, task: () => void) => () => void = unreferenced,
): void {
  followSignals(RED);
  RED.events.on('flows:stopping', (stop: unknown) => {
    const sending = stopsAll(stop) && isStoppedForGood(RED) ? send() : undefined;
    if (!sending) return;
    const pendingSends = sends.of(RED);
    let cancel = () => {};
    const limit = new Promise<void>((resolve) => {
      cancel = after(maxWaitMs, resolve);
    });
    const bounded = Promise.race([sending, limit]).finally(() => {
      cancel();
      pendingSends.delete(bounded);
    });
    pendingSends.add(bounded);
  });
}

/**
 * Returns a promise that resolves when devices may close: after all commands were sent, or at the time limit.
 * Undefined if devices may close immediately.
 */
export function lastSent(RED: Pick<NodeAPI, 'settings'>): Promise<unknown> | undefined {
  const pendingSends = sends.existing(RED);
  return pendingSends && pendingSends.size > 0 ? Promise.all(pendingSends) : undefined;
}

export function warnOfUnsent({ log }: Pick<NodeAPI, 'log'>, left: readonly string[]): void {
  if (left.length === 0) return;
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  const named = left.slice(0, maxNamed).join(', ');
  log.warn(`[algo] The flows are stopped. Until they start again, Node-RED does not send: ${named}${more}`);
}

export function unreferenced(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
