import { isPlainObject } from './coerce';
import { compareFirmware, type Identity } from './identity';
import { localized, localizedPhrase, type Text } from './localized-message';
import type { Field, Firmware, Operation, Parameters, Products } from './operation';
import { includesModel } from './product-classes';

/**
 * The reason why a device does not support a command. In a group, a device with an unsupported model is
 * skipped; a device with an unsupported firmware counts as failed.
 */
export interface Unsupported {
  readonly because: 'model' | 'firmware';
  readonly sentence: Text;
  readonly need: Need;
}

interface Need {
  readonly what: Text;
  readonly products: Products;
  readonly firmware: Firmware;
  readonly earlier?: NonNullable<Field['earlier']>;
}

export interface RestrictedField extends Pick<Field, 'products' | 'firmware' | 'earlier' | 'valueProducts'> {
  readonly properties?: RestrictedFields;
  readonly items?: RestrictedField;
}

type RestrictedFields = Readonly<Record<string, RestrictedField>>;

export interface RestrictedOperation extends Pick<Operation, 'id' | 'title' | 'products' | 'firmware'> {
  readonly fields: RestrictedFields;
}

export class Requirements {
  readonly #whole: Need;
  readonly #given: readonly Need[];
  /** Cache: the last identity and its result. Most devices of a group have the same model and firmware. */
  #last: { readonly about: Identity; readonly unsupported: Unsupported | undefined } | undefined;

  constructor(operation: RestrictedOperation, parameters: Parameters) {
    this.#whole = operationNeed(operation);
    this.#given = new FieldNeeds(operation).collect(operation.fields, parameters).all;
  }

  get dependOnIdentity(): boolean {
    return isDecidedByIdentity(this.#whole) || this.#given.some(isDecidedByIdentity);
  }

  /**
   * Returns the reason why a device does not support the command; undefined if no known fact rules out
   * support. An unknown model or firmware rules out nothing (section 1, item 6).
   */
  findUnsupported(identity: Identity): Unsupported | undefined {
    const { model, firmware } = identity;
    const { about, unsupported } = this.#last ?? {};
    if (about && about.model === model && about.firmware === firmware) return unsupported;
    const found = this.#find(identity);
    this.#last = { about: identity, unsupported: found };
    return found;
  }

  #find(identity: Identity): Unsupported | undefined {
    const whole = unmet(this.#whole, identity);
    if (whole) return whole;
    for (const need of this.#given) {
      const unsupported = unmet(need, identity);
      if (unsupported) return unsupported;
    }
    return undefined;
  }
}

export function needsOfAny(operation: RestrictedOperation): Requirements {
  let needs = needsWithoutParameters.get(operation);
  if (!needs) {
    needs = new Requirements(operation, {});
    needsWithoutParameters.set(operation, needs);
  }
  return needs;
}

const needsWithoutParameters = new WeakMap<RestrictedOperation, Requirements>();

/**
 * Returns the requirements of the operation of a message, which all targets with the same parameters share.
 * @param parameters belong to this operation alone, and never change
 */
export function needsOf(operation: RestrictedOperation, parameters: Parameters): Requirements {
  const known = needsOfParameters.get(parameters) ?? new Requirements(operation, parameters);
  needsOfParameters.set(parameters, known);
  return known;
}

const needsOfParameters = new WeakMap<Parameters, Requirements>();

export function findUnsupported(
  operation: RestrictedOperation,
  parameters: Parameters,
  identity: Identity,
): Unsupported | undefined {
  return new Requirements(operation, parameters).findUnsupported(identity);
}

interface CheckedDevice {
  /**
   * Whether the user has turned off the check of model and firmware. The device itself then accepts or
   * rejects each command.
   */
  readonly letDeviceDecide: boolean;
  readonly knownIdentity: Identity;
}

export function findUnsupportedAt(
  device: CheckedDevice,
  needs: Requirements,
  identity = device.knownIdentity,
): Unsupported | undefined {
  return device.letDeviceDecide ? undefined : needs.findUnsupported(identity);
}

export function dependsOnIdentity(device: CheckedDevice, needs: Requirements): boolean {
  return !device.letDeviceDecide && needs.dependOnIdentity;
}

function isDecidedByIdentity({ products, firmware, earlier }: Need): boolean {
  if (products !== 'all' || earlier) return true;
  // A device that can report its firmware has 5.4 or later, since 5.4 introduced `info/about`.
  return compareFirmware(firmware, '5.4') > 0;
}

function operationNeed(operation: RestrictedOperation): Need {
  return { what: titled(operation), products: operation.products, firmware: operation.firmware };
}

class FieldNeeds {
  readonly all: Need[] = [];
  readonly #known = new Map<RestrictedField, Set<string>>();

  constructor(private readonly operation: RestrictedOperation) {}

  collect(fields: RestrictedFields, given: Parameters): this {
    for (const [name, field] of gatedOf(fields)) {
      if (!Object.hasOwn(given, name)) continue;
      const value = given[name];
      const values = this.#known.get(field) ?? this.#add(name, field);
      if (typeof value === 'string') this.#addValue(name, field, value, values);
      else this.#collectInside(field, value);
    }
    return this;
  }

  #add(name: string, field: RestrictedField): Set<string> {
    const { products = 'all', firmware = this.operation.firmware, earlier } = field;
    this.all.push({
      what: localized('parameter', { name }),
      products,
      firmware,
      ...(earlier && { earlier }),
    });
    const values = new Set<string>();
    this.#known.set(field, values);
    return values;
  }

  #addValue(name: string, field: RestrictedField, value: string, known: Set<string>): void {
    const { firmware = this.operation.firmware, valueProducts } = field;
    const products = valueProducts?.[value];
    if (!products || known.has(value)) return;
    known.add(value);
    this.all.push({ what: `${name} ${value}`, products, firmware });
  }

  #collectInside({ properties, items }: RestrictedField, value: unknown): void {
    if (items && Array.isArray(value)) for (const entry of value) this.#collectInside(items, entry);
    else if (properties && isPlainObject(value)) this.collect(properties, value);
  }
}

const gatedFields = new WeakMap<RestrictedFields, readonly [string, RestrictedField][]>();

/** The result is cached, since one message can contain thousands of records with the same fields. */
function gatedOf(fields: RestrictedFields): readonly [string, RestrictedField][] {
  let known = gatedFields.get(fields);
  if (!known) {
    known = Object.entries(fields).filter(([, field]) => isGated(field));
    gatedFields.set(fields, known);
  }
  return known;
}

function isGated({
  products,
  firmware,
  earlier,
  valueProducts,
  properties,
  items,
}: RestrictedField): boolean {
  if (products || firmware || earlier || valueProducts) return true;
  return (properties && gatedOf(properties).length > 0) || (items !== undefined && isGated(items));
}

function unmet(need: Need, { model, firmware }: Identity): Unsupported | undefined {
  if (model !== undefined && includesModel(need.products, model) === false) {
    return {
      because: 'model',
      sentence: localized('modelUnsupported', { model, what: need.what, havers: havers(need.products) }),
      need,
    };
  }
  if (firmware === undefined) return undefined;
  const first = firstFirmware(need, model);
  if (first !== undefined && compareFirmware(firmware, first) < 0) {
    return {
      because: 'firmware',
      sentence: localized('firmwareUnsupported', { what: need.what, first, firmware }),
      need,
    };
  }
  return undefined;
}

function firstFirmware({ firmware, earlier }: Need, model: string | undefined): string | undefined {
  if (!earlier) return firmware;
  if (model === undefined) return earlier.firmware;
  return includesModel(earlier.products, model) ? earlier.firmware : firmware;
}

function havers(products: Products): Text {
  if (products === 'all') return localized('everyModel');
  if ('except' in products) return localized('everyModelBut', { models: products.except.join(', ') });
  const all = [...(products.classes ?? []).map((name) => localizedPhrase(name)), ...(products.models ?? [])];
  const [first = '', ...others] = all;
  return localized('theseModels', {
    models: others.reduce<Text>((before, next) => localized('listed', { before, next }), first),
  });
}

function titled({ id, title }: RestrictedOperation): Text {
  return localized('titled', { title, id });
}
