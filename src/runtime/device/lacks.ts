import { isAmong } from '../../catalogue/among';
import { isPlainObject } from '../../catalogue/coerce';
import type { Field, Fields, Firmware, Operation, Products } from '../../catalogue/operation';
import type { Device } from './device';
import { compareFirmware, type Identity } from './identity';

/** Why a device cannot do what is asked: `model` is skipped in a group, `firmware` is a failure. */
export interface Lack {
  readonly because: 'model' | 'firmware';
  readonly sentence: string;
}

/**
 * What the known model or firmware lacks of an operation and the parameters given, or undefined when
 * nothing speaks against it. Unknown parts of the identity speak against nothing (section 1, item 6).
 */
export function lackOf(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
  identity: Identity,
): Lack | undefined {
  const needs = [operationNeed(operation), ...fieldNeeds(operation, operation.fields, parameters)];
  for (const need of needs) {
    const lack = unmet(need, identity);
    if (lack) return lack;
  }
  return undefined;
}

/** Whose lacks are looked at. */
type Asked = Pick<Device, 'letDeviceDecide' | 'knownIdentity'>;

/** What a device lacks, as far as it is known; nothing where a person lets the device decide. */
export function lackAt(
  device: Asked,
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
  identity = device.knownIdentity,
): Lack | undefined {
  return device.letDeviceDecide ? undefined : lackOf(operation, parameters, identity);
}

/** Whether it is worth asking a device who it is before it is asked for this. */
export function mayLack(
  device: Asked,
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): boolean {
  return !device.letDeviceDecide && dependsOnIdentity(operation, parameters);
}

/** Whether the model or the firmware can make a difference, so that it is worth asking the device for them. */
export function dependsOnIdentity(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): boolean {
  const needs = [operationNeed(operation), ...fieldNeeds(operation, operation.fields, parameters)];
  return needs.some(({ products, firmware, earlier }) => {
    if (products !== 'all' || earlier) return true;
    // A device that can say its firmware has at least the one that brought `about`.
    return compareFirmware(firmware, '5.4') > 0;
  });
}

interface Need {
  readonly what: string;
  readonly products: Products;
  readonly firmware: Firmware;
  readonly earlier?: Field['earlier'];
}

function operationNeed(operation: Operation): Need {
  return { what: `"${operation.title}"`, products: operation.products, firmware: operation.firmware };
}

function fieldNeeds(operation: Operation, fields: Fields, given: Readonly<Record<string, unknown>>): Need[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!Object.hasOwn(given, name) || !isGated(field)) return [];
    const { products = 'all', firmware = operation.firmware, earlier, valueProducts } = field;
    const own = { what: `the parameter ${name}`, products, firmware, ...(earlier && { earlier }) };
    const value = given[name];
    const havers = typeof value === 'string' ? valueProducts?.[value] : undefined;
    const chosen = havers ? [{ what: `${name} ${value}`, products: havers, firmware }] : [];
    return [own, ...chosen, ...innerNeeds(operation, field, value)];
  });
}

const gated = new WeakMap<Field, boolean>();

/** Whether a field, or one inside it, needs more than its operation does. A message may bring thousands that do not. */
function isGated(field: Field): boolean {
  const known = gated.get(field);
  if (known !== undefined) return known;
  const { products, firmware, earlier, valueProducts, properties = {}, items } = field;
  const inside = [...Object.values(properties), ...(items ? [items] : [])];
  const is = Boolean(products || firmware || earlier || valueProducts) || inside.some(isGated);
  gated.set(field, is);
  return is;
}

/** What the records inside a parameter need: those of the scheduler nest. */
function innerNeeds(operation: Operation, { properties, items }: Field, value: unknown): Need[] {
  if (items && Array.isArray(value)) return value.flatMap((entry) => innerNeeds(operation, items, entry));
  return properties && isPlainObject(value) ? fieldNeeds(operation, properties, value) : [];
}

function unmet(need: Need, { model, firmware }: Identity): Lack | undefined {
  if (model !== undefined && isAmong(need.products, model) === false) {
    return { because: 'model', sentence: `the ${model} has no ${need.what}; ${havers(need.products)}` };
  }
  if (firmware === undefined) return undefined;
  const first = firstFirmware(need, model);
  if (first !== undefined && compareFirmware(firmware, first) < 0) {
    return {
      because: 'firmware',
      sentence: `${need.what} needs firmware ${first} or later, this device has ${firmware}`,
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

function havers(products: Products): string {
  if (products === 'all') return 'every model has it';
  if ('except' in products) return `every model but ${products.except.join(', ')} has it`;
  return `these have it: ${[...(products.classes ?? []), ...(products.models ?? [])].join(', ')}`;
}
