import type { OverviewKnown } from '../../../runtime/answers';
import type { TargetMember } from '../targets/target-members';
import { askInParts } from '../tools/ask';

/** A member; `isToldByRuntime` if its model comes from the runtime, because the user set none. */
export interface KnownMember extends TargetMember {
  readonly isToldByRuntime?: true;
}

/**
 * The models and firmware that the runtime knows for devices without such a setting. No request is sent to a
 * device.
 */
export class RuntimeModels {
  readonly #asked = new Set<string>();
  #known: OverviewKnown['known'] = {};

  /** @param onNews called when more is known */
  constructor(private readonly onNews: () => void) {}

  /**
   * Returns the members with the known models and firmware. Unknown ones are requested from the runtime once.
   */
  of(members: readonly TargetMember[]): KnownMember[] {
    const open = members.filter(({ model, firmware }) => model === undefined || firmware === undefined);
    this.#ask(open.map(({ id }) => id));
    return members.map((member) => {
      if (!Object.hasOwn(this.#known, member.id)) return member;
      const told = member.model === undefined && ({ isToldByRuntime: true } as const);
      return { ...this.#known[member.id], ...member, ...told };
    });
  }

  /** Requests identities from the runtime. Without an answer they stay unknown. */
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
