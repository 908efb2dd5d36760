import type { JobOutcome } from '../../sites/centre';
import { worstOf } from '../../sites/receipts';
import type { WireReceipt } from '../../sites/wire';

export type SiteReceipt = WireReceipt & { readonly site: string };

export interface SiteAnswer {
  readonly outcome: string;
  readonly receipts: readonly SiteReceipt[];
  readonly at: string;
  readonly instance?: string;
  readonly truncated?: true;
}

export function answerOf({ site, result }: Pick<JobOutcome, 'site' | 'result'>): SiteAnswer {
  const { receipts, at, instance, truncated } = result;
  return {
    outcome: worstOf(receipts),
    receipts: receipts.map((receipt) => ({ ...worded(receipt), site })),
    at,
    ...(instance !== undefined && { instance }),
    ...(truncated && { truncated }),
  };
}

/** Adds the sentences of an error to a shortened receipt, which has only the code. */
function worded(receipt: WireReceipt): WireReceipt {
  const { error, operation } = receipt;
  if (!error || error.reason !== undefined) return receipt;
  const { code } = error;
  const reason = "the site's answer was too long for the broker";
  return { ...receipt, error: { code, reason, message: `${reason}: ${operation}; ${code}` } };
}

export class SiteRequest {
  readonly #answers = new Map<string, SiteAnswer>();

  constructor(
    readonly sites: readonly string[],
    private readonly onWhole: (inquiry: SiteRequest) => void,
  ) {}

  get answers(): Readonly<Record<string, SiteAnswer>> {
    return Object.fromEntries(
      this.sites.flatMap((site) => {
        const answer = this.#answers.get(site);
        return answer ? [[site, answer] as const] : [];
      }),
    );
  }

  get count(): number {
    return this.#answers.size;
  }

  get receipts(): readonly SiteReceipt[] {
    return Object.values(this.answers).flatMap(({ receipts }) => receipts);
  }

  answer(outcome: JobOutcome): void {
    this.#answers.set(outcome.site, answerOf(outcome));
    if (this.#answers.size === this.sites.length) this.onWhole(this);
  }
}
