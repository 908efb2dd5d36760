import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { number, oneOf, open, text } from '../../kernel/shape';
import { type AnnouncingNode, openPrefix } from './announcement';

/** An announcement whose `done` was not told; at one target, one whose end was not told. */
export interface OpenAnnouncement {
  readonly node: AnnouncingNode;
  readonly by?: string | undefined;
  /** Time of arrival, in epoch milliseconds. */
  readonly at: number;
  /** The name of the device; absent for the whole announcement. */
  readonly device?: string | undefined;
  readonly address?: string | undefined;
  /** True if the first sound was about to be sent, so that the announcement counts as one that has played. */
  readonly plays?: true | undefined;
}

/**
 * The announcements whose end was not told yet, in the journal. The caller tells an end only after the journal
 * has forgotten it, so that nothing is told twice if Node-RED is killed.
 */
export class OpenAnnouncements {
  readonly #open: DurableMap<OpenAnnouncement>;
  /** The keys of earlier processes, each announcement after its targets. */
  readonly #killed: string[];

  constructor(private readonly journal: SharedJournal) {
    this.#open = new DurableMap(journal, openPrefix, shape);
    const byId = new Map<string, string[]>();
    for (const [key] of this.#open.entries) {
      const [id = ''] = key.split('/');
      const keys = byId.get(id) ?? [];
      byId.set(id, keys);
      keys.push(key);
    }
    // A target without its announcement is not told.
    this.#killed = [...byId].flatMap(([id, keys]) =>
      keys.includes(id) ? [...keys.filter((key) => key !== id), id] : [],
    );
  }

  begin(
    id: string,
    announcement: OpenAnnouncement,
    targets: readonly (readonly [index: number, target: Pick<OpenAnnouncement, 'device' | 'address'>])[],
  ): void {
    if (targets.length === 0) return;
    void this.#open.batch(() => {
      void this.#open.set(id, announcement);
      for (const [index, target] of targets)
        void this.#open.set(keyOf(id, index), { ...announcement, ...target });
    });
  }

  /**
   * Call before the first sound is sent.
   * @returns a promise that resolves when this is on disk or its write has failed; undefined if there is
   * nothing to write
   */
  plays(id: string, index: number): Promise<void> | undefined {
    const target = this.#open.get(keyOf(id, index));
    if (!target || target.plays) return undefined;
    return this.#open.set(keyOf(id, index), { ...target, plays: true });
  }

  /** Forgets a target, or without an index the announcement. Returns a promise as `plays` does. */
  ended(id: string, index?: number): Promise<void> | undefined {
    return this.#open.delete(keyOf(id, index));
  }

  /**
   * Returns the announcements of earlier processes, one by one, each after its targets. The journal has forgotten
   * each before it is returned. If nothing can be written, nothing is returned, since a later process would
   * tell it again. The caller may stop in between, and call the method again.
   */
  async *killed(): AsyncGenerator<OpenAnnouncement & { readonly id: string }> {
    if (this.journal.isWritable === false) return;
    for (let key = this.#killed.shift(); key !== undefined; key = this.#killed.shift()) {
      const open = this.#open.get(key);
      await this.#open.delete(key);
      const [id = ''] = key.split('/');
      if (open) yield { ...open, id };
    }
  }
}

function keyOf(id: string, index?: number): string {
  return index === undefined ? id : `${id}/${index}`;
}

const shape = open(
  { node: open({ id: text(), name: text() }), at: number() },
  { by: text(), device: text(), address: text(), plays: oneOf(true) },
);
