import { maxPreviewBytes } from '../choices';
import { secretLinesOf, withoutSecrets } from '../log/secrets';
import { isLoopback } from './address';
import type { Call } from './call';
import { mightRepeat } from './repeated-password';

/** Maximum number of texts per target that are compared with an answer. */
const maxCompared = 100;

const maxTargets = 1000;

/** Names of headers with a login; a line without a colon counts, too. */
const loginName = /^[^:]*$|^[^:]*(?:auth|cookie|credential|key|pass|pwd|secret|session|token)/i;

interface Target {
  /** Whether a call had a login in its header, or a secret in its path or its payload. */
  hasSecret: boolean;
  /**
   * The values of other headers, and the passwords of the devices at the time of their calls. A target can know the
   * passwords, to check signatures.
   */
  readonly compared: Set<string>;
}

/**
 * The targets of calls, with what they know. A target can repeat a secret in its answer to any later call, in
 * any form.
 */
export class SecretTargets {
  readonly #targets = new Map<string, Target>();

  /**
   * Must be called before a call is sent.
   * @param password password of the device
   */
  add(call: Call, password: string): void {
    const place = placeOf(call);
    const target = this.#targets.get(place) ?? { hasSecret: false, compared: new Set() };
    const lines = secretLinesOf(call.header).filter((line) => line.trim() !== '');
    const values = lines.flatMap(valuesIn);
    target.hasSecret ||= lines.some((line) => loginName.test(line)) || hasSecret(call);
    for (const value of [password, ...values]) if (!target.hasSecret) target.compared.add(value);
    target.hasSecret ||= target.compared.size > maxCompared;
    this.#targets.delete(place);
    this.#targets.set(place, target);
    const [oldest = place] = this.#targets.keys();
    if (this.#targets.size > maxTargets) this.#targets.delete(oldest);
  }

  /**
   * Whether the answer to a call might repeat a secret that its target knows.
   * @param password password of the device
   */
  mightRepeat(text: string, call: Call, password: string): boolean {
    const { hasSecret = false, compared = [] } = this.#targets.get(placeOf(call)) ?? {};
    return hasSecret || mightRepeat(text, [...new Set([...compared, password])]);
  }
}

/** A text that is too long to be searched counts as if it had a secret. */
function hasSecret({ path, payload = '' }: Call): boolean {
  return [path, payload].some((text) => text.length > maxPreviewBytes || withoutSecrets(text) !== text);
}

/** Returns the value of a header, and its words. */
function valuesIn(line: string): string[] {
  const value = line.slice(line.indexOf(':') + 1).trim();
  return [value, ...value.split(/[\s,;="]+/)];
}

/** Returns the port of a target, with its host if that is not this computer, which has many names. */
function placeOf({ target }: Call): string {
  const written = /^https?:\/\//i.test(target) ? target : `http://${target}`;
  if (!URL.canParse(written)) return target;
  const { hostname, port, protocol } = new URL(written);
  const isHere = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return `${isHere ? '' : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
