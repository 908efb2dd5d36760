import type { Field, Fields, Shape } from './operation';

/** Cache: a new shape would need newly compiled checks. */
const opened = new WeakMap<Shape, Shape>();

/**
 * Returns the shape in which the records of the device (`isRecord`) can have further keys: for a device that
 * decides itself, whose firmware might know more keys than the document.
 */
export function openRecords<Given extends Shape>(shape: Given): Given {
  if (!hasRecords(shape)) return shape;
  const known = opened.get(shape) ?? { ...shape, fields: openFields(shape.fields) };
  opened.set(shape, known);
  return known as Given;
}

export function hasRecords({ fields }: Shape): boolean {
  return Object.values(fields).some(({ items }) => items?.isRecord);
}

function openFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, open(field)]));
}

function open(field: Field): Field {
  const { items, properties, isRecord } = field;
  return {
    ...field,
    ...(items && { items: open(items) }),
    ...(properties && { properties: openFields(properties) }),
    ...(isRecord && { isOpen: true }),
  };
}
