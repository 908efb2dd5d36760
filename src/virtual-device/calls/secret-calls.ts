import { maxPreviewBytes } from '../choices';
import { secretLinesOf, withoutSecrets } from '../log/secrets';
import { isLoopback } from './address';
import type { Call } from './call';
import { mightRepeat } from './repeated-secrets';

/** Maximum number of different calls with a secret, per target, whose secrets are compared with an answer. */
const maxCompared = 3;

/** Maximum number of targets with such calls. */
const maxTargets = 1000;

/**
 * The calls with a secret, by target. A target can repeat a secret in its answer to a later call, which has
 * another secret or none.
 */
export class SecretCalls {
  /** The headers of the calls of each target; undefined in place of a call whose path or payload has a secret. */
  readonly #headers = new Map<string, Set<string | undefined>>();

  /** Must be called before the call is sent. */
  add(call: Call): void {
    const header = hasSecretBesideHeader(call) ? undefined : call.header;
    if (header !== undefined && secretLinesOf(header).every((line) => line.trim() === '')) return;
    const key = placeOf(call);
    const headers = this.#headers.get(key) ?? new Set();
    this.#headers.delete(key);
    this.#headers.set(key, headers);
    if (headers.size <= maxCompared) headers.add(header);
    const [oldest = key] = this.#headers.keys();
    if (this.#headers.size > maxTargets) this.#headers.delete(oldest);
  }

  /**
   * Whether the answer to a call might repeat a secret that its target knows.
   * @param password password of the device
   */
  mightBeRepeated(text: string, call: Call, password: string): boolean {
    const headers = this.#headers.get(placeOf(call)) ?? new Set();
    if (headers.size > maxCompared || headers.has(undefined)) return true;
    return mightRepeat(
      text,
      [...headers].map((header) => header ?? ''),
      password,
    );
  }
}

/** A path or a payload that is too long to be searched counts as if it had a secret. */
function hasSecretBesideHeader({ path, payload = '' }: Call): boolean {
  return [path, payload].some((text) => text.length > maxPreviewBytes || withoutSecrets(text) !== text);
}

/** Returns the port of a target, with its host if that is not this computer, which has many names. */
function placeOf({ target }: Call): string {
  const written = /^https?:\/\//i.test(target) ? target : `http://${target}`;
  if (!URL.canParse(written)) return target;
  const { hostname, port, protocol } = new URL(written);
  const isHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return `${isHere ? '' : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
