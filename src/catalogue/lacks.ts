import { isAmong } from './among';
import { isPlainObject } from './coerce';
import { compareFirmware, type Identity } from './identity';
import type { Field, Fields, Firmware, Operation, Products } from './operation';
import { said, saying, type Text } from './saying';

/** Why a device cannot do what is asked: `model` is skipped in a group, `firmware` is a failure. */
export interface Lack {
  readonly because: 'model' | 'firmware';
  readonly sentence: Text;
}

/** Parameters by their wire names. */
type Given = Readonly<Record<string, unknown>>;

/** What an operation and the parameters given need of a device, made once to be held against many devices. */
export class Needs {
  readonly #whole: Need;
  readonly #given: readonly Need[];
  /** The last verdict, and about whom: in a group most are of one model. */
  #last: { readonly about: Identity; readonly lack: Lack | undefined } | undefined;

  constructor(operation: Operation, parameters: Given) {
    this.#whole = operationNeed(operation);
    this.#given = fieldNeeds(operation, operation.fields, parameters);
  }

  /** Whether the model or the firmware can make a difference, so that it is worth asking the device for them. */
  get dependOnIdentity(): boolean {
    return isDecidedByIdentity(this.#whole) || this.#given.some(isDecidedByIdentity);
  }

  /**
   * What the known model or firmware lacks, or undefined when nothing speaks against it. Unknown parts of the
   * identity speak against nothing (section 1, item 6).
   */
  lackOf(identity: Identity): Lack | undefined {
    const { model, firmware } = identity;
    const { about, lack } = this.#last ?? {};
    if (about && about.model === model && about.firmware === firmware) return lack;
    const found = this.#find(identity);
    this.#last = { about: identity, lack: found };
    return found;
  }

  #find(identity: Identity): Lack | undefined {
    const whole = unmet(this.#whole, identity);
    if (whole) return whole;
    for (const need of this.#given) {
      const lack = unmet(need, identity);
      if (lack) return lack;
    }
    return undefined;
  }
}

/** What one operation needs, whatever is given. */
export function needsOfAny(operation: Operation): Needs {
  let needs = needsWithoutParameters.get(operation);
  if (!needs) {
    needs = new Needs(operation, {});
    needsWithoutParameters.set(operation, needs);
  }
  return needs;
}

const needsWithoutParameters = new WeakMap<Operation, Needs>();

/** What a model or firmware lacks of an operation and the parameters given, see `Needs`. */
export function lackOf(operation: Operation, parameters: Given, identity: Identity): Lack | undefined {
  return new Needs(operation, parameters).lackOf(identity);
}

/** Whose lacks are looked at. */
interface Asked {
  /** A person wants everything to be sent to it. */
  readonly letDeviceDecide: boolean;
  readonly knownIdentity: Identity;
}

/** What a device lacks, as far as it is known; nothing where a person lets the device decide. */
export function lackAt(device: Asked, needs: Needs, identity = device.knownIdentity): Lack | undefined {
  return device.letDeviceDecide ? undefined : needs.lackOf(identity);
}

/** Whether it is worth asking a device who it is before it is asked for this. */
export function mayLack(device: Asked, needs: Needs): boolean {
  return !device.letDeviceDecide && needs.dependOnIdentity;
}

function isDecidedByIdentity({ products, firmware, earlier }: Need): boolean {
  if (products !== 'all' || earlier) return true;
  // A device that can say its firmware has at least the one that brought `about`.
  return compareFirmware(firmware, '5.4') > 0;
}

interface Need {
  readonly what: Text;
  readonly products: Products;
  readonly firmware: Firmware;
  readonly earlier?: Field['earlier'];
}

function operationNeed(operation: Operation): Need {
  return { what: titled(operation), products: operation.products, firmware: operation.firmware };
}

function fieldNeeds(operation: Operation, fields: Fields, given: Given): readonly Need[] {
  const gated = gatedOf(fields);
  if (gated.length === 0) return noNeeds;
  return gated.flatMap(([name, field]) => {
    if (!Object.hasOwn(given, name)) return [];
    const { products = 'all', firmware = operation.firmware, earlier, valueProducts } = field;
    const own = { what: said('parameter', { name }), products, firmware, ...(earlier && { earlier }) };
    const value = given[name];
    const havers = typeof value === 'string' ? valueProducts?.[value] : undefined;
    const chosen = havers ? [{ what: `${name} ${value}`, products: havers, firmware }] : [];
    return [own, ...chosen, ...innerNeeds(operation, field, value)];
  });
}

const noNeeds: readonly Need[] = [];

const gatedFields = new WeakMap<Fields, readonly [string, Field][]>();

/** Fields that, or in which some, need more than their operation does. A message may bring thousands that do not. */
function gatedOf(fields: Fields): readonly [string, Field][] {
  let known = gatedFields.get(fields);
  if (!known) {
    known = Object.entries(fields).filter(([, field]) => isGated(field));
    gatedFields.set(fields, known);
  }
  return known;
}

function isGated({ products, firmware, earlier, valueProducts, properties, items }: Field): boolean {
  if (products || firmware || earlier || valueProducts) return true;
  return (properties && gatedOf(properties).length > 0) || (items !== undefined && isGated(items));
}

/** What the records inside a parameter need: those of the scheduler nest. */
function innerNeeds(operation: Operation, { properties, items }: Field, value: unknown): readonly Need[] {
  if (items && Array.isArray(value)) return value.flatMap((entry) => innerNeeds(operation, items, entry));
  return properties && isPlainObject(value) ? fieldNeeds(operation, properties, value) : [];
}

function unmet(need: Need, { model, firmware }: Identity): Lack | undefined {
  if (model !== undefined && isAmong(need.products, model) === false) {
    return {
      because: 'model',
      sentence: said('modelLacks', { model, what: need.what, havers: havers(need.products) }),
    };
  }
  if (firmware === undefined) return undefined;
  const first = firstFirmware(need, model);
  if (first !== undefined && compareFirmware(firmware, first) < 0) {
    return {
      because: 'firmware',
      sentence: said('firmwareLacks', { what: need.what, first, firmware }),
    };
  }
  return undefined;
}

/** The first firmware with it for this model; undefined when that depends on a model that is not known. */
function firstFirmware({ firmware, earlier }: Need, model: string | undefined): string | undefined {
  if (!earlier) return firmware;
  if (model === undefined) return earlier.firmware;
  return isAmong(earlier.products, model) ? earlier.firmware : firmware;
}

function havers(products: Products): Text {
  if (products === 'all') return said('everyModel');
  if ('except' in products) return said('everyModelBut', { models: products.except.join(', ') });
  const all = [...(products.classes ?? []).map((name) => saying(name)), ...(products.models ?? [])];
  const [first = '', ...others] = all;
  return said('theseModels', {
    models: others.reduce<Text>((before, next) => said('listed', { before, next }), first),
  });
}

function titled({ id, title }: Operation): Text {
  return said('titled', { title, id });
}
