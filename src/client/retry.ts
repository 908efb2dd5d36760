import { backoffMs } from '../time/backoff';
import type { Answer } from './call';
import { DeviceError } from './errors';
import { superseded } from './place';
import type { Run } from './run';

const backoff = { firstMs: 250, maxMs: 2_000 };

/** How much of a pause is left to chance: a hundred devices that one switch took away come back together. */
const jitter = 0.2;

/** Whether and when what failed is tried again (docs/contract.md 2.5). */
export class Retry {
  #until: number | undefined;
  #failures = 0;

  /**
   * @param forMs how long after its first failure it is tried again, in milliseconds
   * @param isSafe it may be done twice
   * @param random from 0 up to 1
   */
  constructor(
    private readonly forMs: number,
    private readonly isSafe: boolean,
    private readonly random: () => number,
  ) {}

  /**
   * When the next try begins after a failure, on the monotonic clock; undefined when there is none.
   * @param expiresAt when it is too late to be sent
   */
  next(error: DeviceError, now: number, expiresAt: number): number | undefined {
    if (this.forMs <= 0 || !this.#mayGoAgain(error)) return undefined;
    this.#until ??= now + this.forMs;
    const at = now + backoffMs(this.#failures, backoff) * (1 + jitter * (this.random() - 0.5));
    this.#failures += 1;
    return at <= this.#until && at < expiresAt ? at : undefined;
  }

  /** What surely was not done, and of what is safe to repeat also what is unclear or came at a bad moment. */
  #mayGoAgain({ code, outcome, statusCode }: DeviceError): boolean {
    if (code === 'ABORTED' || code === 'SUPERSEDED' || code === 'EXPIRED') return false;
    if (code === 'UNREACHABLE') return true;
    return this.isSafe && (outcome === 'unknown' || statusCode === 503);
  }
}

/**
 * After a first try that failed: tries again as long as the call's options say.
 * @throws DeviceError, and nothing else
 */
export async function tryAgain(run: Run, first: DeviceError): Promise<Answer> {
  const { context, isSafe, options, place } = run;
  const { environment } = context;
  const retry = new Retry(options.retryForMs ?? 0, isSafe, environment.random);
  let tried: Answer | DeviceError = first;
  while (tried instanceof DeviceError) {
    const next = retry.next(tried, environment.monotonic(), place.claim.expiresAt);
    if (next === undefined || place.abort.reason) throw tried;
    // What was sent stands; what was to be sent only now is what the end took out.
    if (place.isEnded) throw tried.attempts > 0 ? tried : run.errorOf(superseded(place));
    await context.queue.rest(place, next).catch((reason: unknown) => {
      throw run.errorOf(reason);
    });
    const again = await run.try();
    // That its time is over ends the trying: what it came to stands.
    if (again instanceof DeviceError && again.code === 'EXPIRED') throw tried;
    tried = again;
  }
  return tried;
}
