import { networkInterfaces } from 'node:os';
import { maxPreviewBytes } from '../choices';
import { secretLinesOf, withoutSecrets } from '../log/secrets';
import { type Address, isLoopback, normalAddress } from './address';
import type { Call, PreparedCall } from './call';
import { formsOf, isHardToFind, mightRepeat } from './repeated-secrets';

/** Maximum number of texts per target that are compared with an answer. */
const maxCompared = 100;

/** Maximum number of targets. The answers of further targets are not shown. */
const maxTargets = 1000;

/** Maximum number of usable signatures per target that are compared with an answer; after more, none is shown. */
const maxSignatures = 100;

/** Time for which a receiver can accept a signature, in milliseconds: the longest tolerance of a webhook. */
const signatureLastsMs = 3_600_000;

/** Maximum length of the texts that are compared, in all; longer ones would take too much time. */
const maxLength = 4096;

/** A shorter password of a device, or value of a header, is not looked for, since many texts contain it. */
const minLength = 5;

/** A shorter login cannot be looked for, so that no answer is shown. */
const minLoginLength = 4;

const loginName = /^[^:]*(?:auth|cookie|credential|key|pass|pwd|secret|session|token)/i;

/** The targets of calls, with what they know. One instance is for all devices of a process. */
export class SecretTargets {
  readonly #targets = new Map<string, SecretTarget>();

  /**
   * Returns the target of a call.
   * @param addresses addresses of the target, which can have several names
   */
  at(addresses: readonly Address[], port: number): SecretTarget {
    const places = addresses.map(({ address }) => `${placeOf(address)} ${port}`);
    const known = places.map((place) => this.#targets.get(place)).find((target) => target !== undefined);
    const target = known ?? new SecretTarget(this.#targets.size >= maxTargets);
    for (const place of places) if (this.#targets.size < maxTargets) this.#targets.set(place, target);
    return target;
  }
}

/** A target can repeat a secret in its answer to any later call, in any form. */
export class SecretTarget {
  /**
   * The values of headers, and the passwords of the devices at the time of their calls. A target can know the
   * passwords, to check signatures.
   */
  readonly #compared = new Set<string>();
  /**
   * The nonces of the signatures that are usable: a target that does not check them has not used them up. Without its
   * nonce, a signature is of no use.
   */
  #nonces: readonly { readonly forms: readonly string[]; readonly until: number }[] = [];
  /** Time until which no answer is shown, in epoch milliseconds. */
  #hiddenUntil = 0;

  /**
   * @param hasSecret whether a call had a secret that cannot be looked for: in its path or its payload, a very short
   * or long one, or one of other letters than Latin ones
   */
  constructor(private hasSecret = false) {}

  /**
   * Must be called before a call is sent.
   * @param password password of the device
   */
  add(call: Call, password: string): void {
    const lines = secretLinesOf(call.header).filter((line) => line.trim() !== '');
    const logins = lines.filter(isLoginLine);
    const others = lines.filter((line) => !isLoginLine(line));
    const isTooLong = call.header.length + password.length > maxLength;
    this.hasSecret ||= isTooLong || hasSecret(call) || logins.flatMap(passwordsIn).some(isShort);
    const secrets = [
      ...logins.flatMap(passwordsIn),
      ...others.flatMap((line) => valuesIn(line).slice(0, 1)),
      password,
    ];
    this.hasSecret ||= secrets.filter(isLong).some(isHardToFind);
    if (this.hasSecret) return;
    const values = [...others.flatMap(valuesIn), password].filter(isLong);
    for (const value of [...logins.flatMap(loginsIn), ...values]) this.#compared.add(value);
    this.hasSecret = this.#compared.size > maxCompared || [...this.#compared].join('').length > maxLength;
  }

  /**
   * @param headers headers of a call, before it is sent
   * @param now time of this computer in epoch milliseconds
   */
  addSignature(headers: PreparedCall['headers'], now = Date.now()): void {
    const { Authorization = '', Date: date = '' } = Object.fromEntries(headers);
    const [, nonce] = /^hmac [^:]+:([^:]+):[0-9a-f]+$/.exec(Authorization) ?? [];
    if (nonce === undefined) return;
    // The clock of the device can be ahead.
    const until = Math.max(now, Date.parse(date) || 0) + signatureLastsMs;
    const usable = [...this.#nonces.filter((one) => one.until > now), { forms: formsOf(nonce), until }];
    if (usable.length > maxSignatures)
      this.#hiddenUntil = Math.max(this.#hiddenUntil, ...usable.map((one) => one.until));
    this.#nonces = usable.slice(-maxSignatures);
  }

  /**
   * Whether an answer might repeat a secret that the target knows.
   * @param password present password of the device
   * @param now time of this computer in epoch milliseconds
   */
  mightRepeat(text: string, password: string, now = Date.now()): boolean {
    if (this.hasSecret || password.length > maxLength || now < this.#hiddenUntil) return true;
    if (isLong(password) && isHardToFind(password)) return true;
    const nonces = this.#nonces.filter(({ until }) => until > now).flatMap(({ forms }) => forms);
    return mightRepeat(text, [...this.#compared, ...[password].filter(isLong)], nonces);
  }
}

/** Returns an address in one spelling; an empty text for this computer, which has several addresses. */
function placeOf(written: string): string {
  const address = normalAddress(written);
  const own = Object.values(networkInterfaces()).flatMap((one) => one?.map((each) => each.address));
  return isLoopback(address) || ['0.0.0.0', '::', ...own].includes(address) ? '' : address;
}

/** A text that is too long to be searched, or comes in a flood, counts as if it had a secret. */
function hasSecret({ path, payload = '' }: Call): boolean {
  return [path, payload].some((text) => text.length > maxPreviewBytes || withoutSecrets(text) !== text);
}

/** A line without a colon is no header, and may be anything. */
function isLoginLine(line: string): boolean {
  return !line.includes(':') || loginName.test(line);
}

/** Returns the value of a header, and its words. */
function valuesIn(line: string): string[] {
  const value = line.slice(line.indexOf(':') + 1).trim();
  return [value, ...value.split(/[\s,;="]+/)];
}

/** Returns the passwords of a login: what follows the scheme, and what follows the user in `user:password`. */
function passwordsIn(line: string): string[] {
  const [value = ''] = valuesIn(line);
  const password = value.replace(/^[\w-]+\s+(?=\S)/, '');
  const decoded = Buffer.from(password, 'base64').toString();
  const isUserAndPassword = /^Basic\s/i.test(value) && decoded.includes(':');
  return [password, ...(isUserAndPassword ? [decoded.slice(decoded.indexOf(':') + 1)] : [])];
}

/** Returns all of a login that is looked for in an answer. */
function loginsIn(line: string): string[] {
  const decoded = valuesIn(line).map((word) => Buffer.from(word, 'base64').toString());
  const users = decoded.filter((one) => /^[^\p{Cc}\uFFFD]*:[^\uFFFD]*$/u.test(one));
  const passwords = users.map((user) => user.slice(user.indexOf(':') + 1));
  const all = [...valuesIn(line), ...passwordsIn(line), ...users, ...passwords];
  return all.filter((one) => !isShort(one) && !/^(?:Basic|Bearer|Digest|Token)$/i.test(one));
}

function isShort(text: string): boolean {
  return [...text].length < minLoginLength;
}

function isLong(text: string): boolean {
  return [...text].length >= minLength;
}
