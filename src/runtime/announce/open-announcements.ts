import type { SharedJournal } from '../../kernel/journal/journal';
import { readEntries } from '../../kernel/journal/read-entries';
import { number, oneOf, open, reader, text } from '../../kernel/shape';

export const openPrefix = 'announce/open/';

/** An announcement whose `done` was not told. */
export interface OpenAnnouncement {
  readonly node: { readonly id: string; readonly name: string };
  readonly by?: string;
  /** Time of arrival, in epoch milliseconds. */
  readonly at: number;
}

/** An announcement at one target whose end was not told. */
export interface OpenTarget {
  /** The name of the device. */
  readonly device: string;
  readonly address: string;
  /** True if the first sound was about to be sent, so that the announcement counts as one that has played. */
  readonly plays?: true;
  /** True if the receipt of an announcement that was killed was told. */
  readonly hasReceipt?: true;
}

/** The news of an announcement that Node-RED did not end before it was killed. */
export type KilledNews = { readonly id: string; readonly announcement: OpenAnnouncement } & (
  | { readonly kind: 'receipt' | 'failed' | 'stopped'; readonly target: OpenTarget }
  | { readonly kind: 'done' }
);

interface Killed {
  readonly announcement: OpenAnnouncement;
  readonly targets: Map<string, OpenTarget>;
}

/**
 * The announcements whose end was not told yet, in the journal. The caller tells an end only after the journal
 * has forgotten it, so that nothing is told twice if Node-RED is killed.
 */
export class OpenAnnouncements {
  readonly #open = new Map<string, Map<string, OpenTarget>>();
  /** The announcements of earlier processes. */
  readonly #killed = new Map<string, Killed>();

  constructor(private readonly journal: SharedJournal) {
    const targets: [id: string, index: string, target: OpenTarget][] = [];
    for (const [key, value] of readEntries(journal, openPrefix, openIn)) {
      const [id = '', index] = key.slice(openPrefix.length).split('/');
      if (index !== undefined) targets.push([id, index, value as OpenTarget]);
      else this.#killed.set(id, { announcement: value as OpenAnnouncement, targets: new Map() });
    }
    for (const [id, index, target] of targets) this.#killed.get(id)?.targets.set(index, target);
  }

  begin(id: string, announcement: OpenAnnouncement, targets: ReadonlyMap<number, OpenTarget>): void {
    if (targets.size === 0) return;
    const own = new Map([...targets].map(([index, target]) => [String(index), target]));
    this.#open.set(id, own);
    void this.journal.batch(() => {
      void this.journal.put(keyOf(id), { ...announcement });
      for (const [index, target] of own) void this.journal.put(keyOf(id, index), { ...target });
    });
  }

  /**
   * Call before the first sound is sent.
   * @returns a promise that resolves when this is on disk or its write has failed; undefined if there is
   * nothing to write
   */
  plays(id: string, index: number): Promise<void> | undefined {
    const targets = this.#open.get(id);
    const target = targets?.get(String(index));
    if (!targets || !target || target.plays) return undefined;
    const playing = { ...target, plays: true } as const;
    targets.set(String(index), playing);
    return this.journal.put(keyOf(id, String(index)), { ...playing });
  }

  /** Returns a promise as `plays` does. */
  ended(id: string, index: number): Promise<void> | undefined {
    const isOpen = this.#open.get(id)?.delete(String(index));
    return isOpen ? this.journal.delete(keyOf(id, String(index))) : undefined;
  }

  /** Returns a promise as `plays` does. */
  done(id: string): Promise<void> | undefined {
    return this.#open.delete(id) ? this.journal.delete(keyOf(id)) : undefined;
  }

  /**
   * Returns the news of the announcements of earlier processes, one by one. The journal has forgotten each
   * before it is returned. If nothing can be written, nothing is returned, since a later process would
   * tell it again. The caller may stop in between, and call the method again.
   */
  async *killed(): AsyncGenerator<KilledNews> {
    if (this.journal.isWritable === false) return;
    for (const [id, { announcement, targets }] of this.#killed) {
      for (const [index, target] of targets) {
        if (!target.plays && !target.hasReceipt) {
          const told = { ...target, hasReceipt: true } as const;
          targets.set(index, told);
          await this.journal.put(keyOf(id, index), { ...told });
          yield { kind: 'receipt', id, announcement, target };
        }
        targets.delete(index);
        await this.journal.delete(keyOf(id, index));
        yield { kind: target.plays ? 'stopped' : 'failed', id, announcement, target };
      }
      this.#killed.delete(id);
      await this.journal.delete(keyOf(id));
      yield { kind: 'done', id, announcement };
    }
  }
}

function keyOf(id: string, index?: string): string {
  return index === undefined ? `${openPrefix}${id}` : `${openPrefix}${id}/${index}`;
}

const announcementIn = reader(
  open({ node: open({ id: text(), name: text() }), at: number() }, { by: text() }),
);
const targetIn = reader(
  open({ device: text(), address: text() }, { plays: oneOf(true), hasReceipt: oneOf(true) }),
);

/** Returns undefined if the value is invalid. */
function openIn(value: unknown, key: string): OpenAnnouncement | OpenTarget | undefined {
  const isTarget = key.slice(openPrefix.length).includes('/');
  return (isTarget ? targetIn(value) : announcementIn(value)) as OpenAnnouncement | OpenTarget | undefined;
}
