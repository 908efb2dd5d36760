import { createHook } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { type HeapProfiler, Session } from 'node:inspector/promises';
import type { Socket } from 'node:net';

/** What was made while something happened, by the names that Node gives it. */
export interface Made {
  readonly promises: number;
  readonly timers: number;
  readonly immediates: number;
  readonly ticks: number;
}

/** Counts the objects that an action makes in this process. */
export async function madeBy(action: () => Promise<unknown>): Promise<Made> {
  const counts = new Map<string, number>();
  const hook = createHook({
    init(_id, type) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    },
  }).enable();
  try {
    await action();
  } finally {
    hook.disable();
  }
  const count = (type: string) => counts.get(type) ?? 0;
  return {
    promises: count('PROMISE'),
    timers: count('Timeout'),
    immediates: count('Immediate'),
    ticks: count('TickObject'),
  };
}

/** The bytes that our own code allocates in an action, kept or not: sampled, so off by a few in a hundred. */
export async function bytesMadeBy(action: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 512,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await action();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return bytesIn(profile.head);
  } finally {
    session.disconnect();
  }
}

function bytesIn({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  const own = /[\\/]dist[\\/]src[\\/]/.test(callFrame.url) ? selfSize : 0;
  return children.reduce((sum, child) => sum + bytesIn(child), own);
}

/** How many timers wait in this process. */
export function waitingTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
}

/** The sockets that this process opens to somebody, and the listeners to events that it has not taken back. */
export class Listeners {
  readonly #sockets: Socket[] = [];
  readonly #addEventListener = EventTarget.prototype.addEventListener;
  readonly #removeEventListener = EventTarget.prototype.removeEventListener;
  readonly #noteSocket = (message: unknown) =>
    void this.#sockets.push((message as { socket: Socket }).socket);
  /** Listeners to AbortSignals and other EventTargets: added less removed, and the most there ever were. */
  targets = 0;
  mostTargets = 0;

  constructor() {
    diagnostics.subscribe('net.client.socket', this.#noteSocket);
    const noteChange = (change: number) => {
      this.targets += change;
      this.mostTargets = Math.max(this.mostTargets, this.targets);
    };
    const add = this.#addEventListener;
    const remove = this.#removeEventListener;
    EventTarget.prototype.addEventListener = function (...given: Parameters<typeof add>) {
      noteChange(1);
      add.apply(this, given);
    };
    EventTarget.prototype.removeEventListener = function (...given: Parameters<typeof remove>) {
      noteChange(-1);
      remove.apply(this, given);
    };
  }

  /** How many listeners each socket has that is still open. */
  ofSockets(): number[] {
    return this.#sockets
      .filter(({ destroyed }) => !destroyed)
      .map((socket) => socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0));
  }

  /** Stops counting. */
  restore(): void {
    diagnostics.unsubscribe('net.client.socket', this.#noteSocket);
    EventTarget.prototype.addEventListener = this.#addEventListener;
    EventTarget.prototype.removeEventListener = this.#removeEventListener;
  }
}
