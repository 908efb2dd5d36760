import { isPasswordName } from '../../catalogue/describe';
import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Parameters } from '../../catalogue/operation';
import { operation } from '../../catalogue/operation-name';
import { maxNames } from '../../catalogue/profiles';
import { addDetails } from '../../catalogue/sentence';
import type { Answer, CallOptions, Turn } from '../../client/client';
import { DeviceError, reasonOf } from '../../client/errors';
import { isUnresolved } from '../../kernel/property';
import { detailsOf, readUntil, reload, valueIn } from '../message/confirmation';
import type { ActionHooks, DeliveryContext } from '../message/hooks';

/** The values of settings by their names. A name that the device does not know is missing. */
type Values = ReadonlyMap<string, string>;

interface Profile {
  readonly wanted: Values;
  /** The values of the names that the device knows, before a write. */
  readonly before: Values;
  readonly unknown: readonly string[];
}

/** Time after a lost answer to a write for which the settings are read, in milliseconds. */
const lostLimitMs = 1_500;

const get = operation('settings/get');

const put = operation('settings/put');

/** The readings of the operations before their turns. */
const profiles = new WeakMap<object, Profile>();

/** Hooks for the operations on profiles of settings (docs/contract.md 2.2, *Profiles of settings*). */
export function profileHooks(): ActionHooks {
  return {
    check,
    prepare: (delivery, options) =>
      delivery.operation.composedOf ? readProfile(delivery, options) : undefined,
    send(delivery, turn, options) {
      const profile = profiles.get(delivery);
      if (!profile) return undefined;
      if (delivery.operation.id === 'apply') return new Application(delivery, profile, turn, options).run();
      const isCompare = delivery.operation.id === 'compare';
      const body = isCompare ? differencesOf(profile) : Object.fromEntries(profile.before);
      return Promise.resolve(answerOf(body));
    },
    dryRun(delivery) {
      const profile = profiles.get(delivery);
      return profile && answerOf(changesOf(profile, profile.wanted));
    },
    remark,
  };
}

function check({ id, composedOf }: Operation, parameters: Parameters, isValid: boolean): Text[] {
  if (id === 'restore') return isValid ? [] : [localized('restoreIsReset')];
  if (id !== 'put' && !composedOf) return [];
  const entries = Object.entries(parameters);
  if (composedOf && entries.length > maxNames)
    return [localized('tooManyNames', { count: String(maxNames) })];
  return entries.flatMap(([name, value]): Text[] => {
    if ((id === 'put' || id === 'apply') && value === '***') return [localized('starsNotWritten', { name })];
    return isUnresolved(value) ? [localized('unsetVariable', { name, variable: value })] : [];
  });
}

/** Writes the settings that differ, and reads them again. */
class Application {
  readonly #names: readonly string[];

  constructor(
    private readonly delivery: DeliveryContext,
    private readonly profile: Profile,
    private readonly turn: Turn,
    private readonly options: CallOptions,
  ) {
    this.#names = differing(profile);
  }

  /**
   * @throws DeviceError PROTOCOL if the device has stored another value; the error of the write if it failed or its
   * result is unknown, with the settings that are not as before
   */
  async run(): Promise<Answer> {
    const { delivery, profile, turn, options } = this;
    const { wanted } = profile;
    const names = this.#names;
    if (names.length === 0) {
      delivery.outcome = 'confirmed';
      delivery.note(localized('nothingToChange'));
      return answerOf(this.#changes(wanted));
    }
    let answer: Answer | undefined;
    try {
      const parameters = Object.fromEntries(names.map((name) => [name, wanted.get(name)]));
      answer = await turn.call(put, parameters, options);
    } catch (error) {
      if (!(error instanceof DeviceError) || !error.sent || delivery.abort.reason) throw error;
      await this.#findOut(error);
    }
    if (delivery.has('reloadAfter')) await reload(delivery, turn);
    const seen = await this.#readAfter();
    if (!seen) return answerOf(this.#changes(wanted), answer);
    const wrong = names.find((name) => seen.get(name) !== wanted.get(name));
    if (wrong !== undefined) throw this.#storedOther(wrong, seen);
    delivery.outcome = 'confirmed';
    return answerOf(this.#changes(seen), answer);
  }

  #look(limitMs?: number): Promise<Values> {
    const { delivery, turn, options } = this;
    const look = () => readValues(this.#names, (one) => turn.call(get, one, options));
    return readUntil(delivery, look, (seen) => this.#isAs(this.profile.wanted, seen), limitMs);
  }

  #isAs(values: Values, seen: Values): boolean {
    return this.#names.every((name) => seen.get(name) === values.get(name));
  }

  #changes(now: Values): Changes {
    return changesOf(this.profile, now);
  }

  /** Reads the settings after a write that failed, or whose answer was lost. Returns if all are as wanted. */
  async #findOut(error: DeviceError): Promise<void> {
    const isLost = error.outcome === 'unknown';
    let now: Values;
    try {
      now = await this.#look(isLost ? lostLimitMs : 0);
    } catch (another) {
      throw isLost
        ? changed(error, 'unknown', localized('notReadBack', { reason: reasonOf(another) }))
        : error;
    }
    const response = this.#changes(now);
    if (!isLost) throw changed(error, 'failed', undefined, response);
    const { wanted, before } = this.profile;
    if (this.#isAs(wanted, now)) return this.delivery.note(localized('settingsAsWanted'));
    if (this.#isAs(before, now)) throw changed(error, 'failed', localized('settingsAsBefore'), response);
    throw changed(error, 'unknown', localized('settingsPartly'), response);
  }

  /** Returns undefined if the settings cannot be read: the write is not confirmed then. */
  async #readAfter(): Promise<Values | undefined> {
    const { delivery } = this;
    try {
      return await this.#look();
    } catch (error) {
      if (delivery.abort.reason) throw error;
      delivery.note(localized('notReadBack', { reason: reasonOf(error) }));
      return undefined;
    }
  }

  #storedOther(name: string, seen: Values): DeviceError {
    const { operationName, device } = this.delivery;
    const values = { is: seen.get(name) ?? '', wanted: this.profile.wanted.get(name) ?? '' };
    const reason = localized('storedOther', shown(name, values));
    const details = { operationName, place: `"${device.name}"`, sent: true, attempts: 1 };
    const response = this.#changes(seen);
    return new DeviceError(
      'PROTOCOL',
      { reason, details: [localized('correctProfile'), name] },
      { ...details, response },
    );
  }
}

/**
 * Reads the settings of a profile as readings, behind all messages. A backup reads no passwords.
 * @throws DeviceError REFUSED if the device knows none of the names
 */
async function readProfile(delivery: DeliveryContext, options: CallOptions): Promise<void> {
  const { device, operationName, operation: asked, sharedParameters, abort, limiter } = delivery;
  const isBackup = asked.id === 'backup';
  const { names: list, ...others } = sharedParameters;
  const listed = isBackup && Array.isArray(list) ? list.map(String) : [];
  const given = Object.entries(isBackup ? others : sharedParameters);
  const wanted = new Map(given.map(([name, value]) => [name, String(value)]));
  const all = [...new Set([...listed, ...wanted.keys()])];
  const secrets = isBackup ? all.filter(isPasswordName) : [];
  if (secrets.length > 0) delivery.note(localized('passwordsLeftOut', { names: secrets.join(', ') }));
  const names = all.filter((name) => !secrets.includes(name));
  const before = await readValues(names, async (one) => {
    const permit = await limiter?.enter(abort);
    try {
      const entry = device.take(get, abort, { isReading: true });
      const read = (turn: Turn) => turn.call(get, one, options);
      return await device.during(entry, undefined, operationName, read);
    } catch (error) {
      // Nothing is written after a read without an answer.
      const isLost = asked.id === 'apply' && error instanceof DeviceError && error.outcome === 'unknown';
      throw isLost ? changed(error, 'failed') : error;
    } finally {
      if (permit) limiter?.leave(permit);
    }
  });
  profiles.set(delivery, { wanted, before, unknown: names.filter((name) => !before.has(name)) });
  if (before.size > 0 || names.length === 0) return;
  const details = { operationName, place: `"${device.name}"`, sent: true, attempts: names.length };
  throw new DeviceError('REFUSED', localized('noneKnown'), { ...details, statusCode: 404 });
}

/** Reads settings one after the other. A name that the device answers with 404 is missing in the result. */
async function readValues(
  names: readonly string[],
  call: (parameters: Parameters) => Promise<Answer>,
): Promise<Values> {
  const values = new Map<string, string>();
  for (const name of names) {
    try {
      values.set(name, valueIn(await call({ name }), name));
    } catch (error) {
      if (!(error instanceof DeviceError) || error.statusCode !== 404) throw error;
    }
  }
  return values;
}

interface Changes {
  readonly same: number;
  readonly changed: Readonly<Record<string, unknown>>;
  readonly unknown: readonly string[];
}

function differing({ wanted, before }: Profile): string[] {
  return [...before.keys()].filter((name) => before.get(name) !== wanted.get(name));
}

function differencesOf(profile: Profile) {
  const { wanted, before, unknown } = profile;
  const different = differing(profile).map((name) => [
    name,
    shown(name, { is: before.get(name) ?? '', wanted: wanted.get(name) ?? '' }),
  ]);
  return { same: before.size - different.length, different: Object.fromEntries(different), unknown };
}

function changesOf(profile: Profile, now: Values): Changes {
  const { before, unknown } = profile;
  const changed = [...before].flatMap(([name, was]) => {
    const is = now.get(name) ?? was;
    return is === was ? [] : [[name, shown(name, { was, is })]];
  });
  const same = before.size - differing(profile).length;
  return { same, changed: Object.fromEntries(changed), unknown };
}

/** Hides the values of a secret setting. */
function shown<T extends Readonly<Record<string, string>>>(
  name: string,
  values: T,
): Readonly<Record<keyof T, string>> {
  if (!isPasswordName(name)) return values;
  return Object.fromEntries(Object.keys(values).map((key) => [key, '***'])) as Record<keyof T, string>;
}

function answerOf(body: unknown, { statusCode = 200, attempts = 1, wireMs }: Partial<Answer> = {}): Answer {
  return { statusCode, attempts, body, wireMs };
}

function changed(
  error: DeviceError,
  outcome: 'failed' | 'unknown',
  detail?: Text,
  response?: Changes,
): DeviceError {
  const fault = detail === undefined ? error.fault : addDetails(error.fault, detail);
  const more = response ? { response } : {};
  return new DeviceError(error.code, fault, { ...detailsOf(error), ...more, outcome });
}

/** Names the settings that no device knows; a mixed group may have devices that know only a part. */
function remark(deliveries: readonly object[]): Text | undefined {
  const known = deliveries.flatMap((delivery) => profiles.get(delivery) ?? []);
  const counts = new Map<string, number>();
  for (const { unknown } of known) for (const name of unknown) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].flatMap(([name, count]) => (count === known.length ? [name] : []));
  return names.length > 0 ? localized('knownNowhere', { names: names.join(', ') }) : undefined;
}
