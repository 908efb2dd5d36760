import type { OverviewKnown } from '../../../runtime/answers';
import type { TargetMember } from '../targets/target-members';
import { askInParts } from '../tools/ask';

/** A target device. `isFromRuntime` is set if the user set no model and the runtime knows the device. */
export interface KnownMember extends TargetMember {
  readonly isFromRuntime?: true;
}

/**
 * Cache: models and firmware that the runtime knows, for devices without these values in the editor. The
 * cache causes no requests to devices.
 */
export class RuntimeModels {
  readonly #asked = new Set<string>();
  #known: OverviewKnown['known'] = {};

  constructor(private readonly onNews: () => void) {}

  /**
   * Adds the known models and firmware to the members. Asks the runtime once for each device without model or
   * firmware, and calls `onNews` after an answer with a value.
   */
  of(members: readonly TargetMember[]): KnownMember[] {
    const open = members.filter(({ model, firmware }) => model === undefined || firmware === undefined);
    this.#ask(open.map(({ id }) => id));
    return members.map((member) => {
      if (!Object.hasOwn(this.#known, member.id)) return member;
      const source = member.model === undefined && ({ isFromRuntime: true } as const);
      return { ...this.#known[member.id], ...member, ...source };
    });
  }

  #ask(wanted: readonly string[]): void {
    const ids = wanted.filter((id) => !this.#asked.has(id));
    if (ids.length === 0) return;
    for (const id of ids) this.#asked.add(id);
    askInParts<OverviewKnown>('algo/overview/known', ids)
      .then((answers) => {
        const known: OverviewKnown['known'] = Object.assign({}, ...answers.map((one) => one.known));
        this.#known = { ...this.#known, ...known };
        if (Object.keys(known).length > 0) this.onNews();
      })
      .catch(() => {});
  }
}
