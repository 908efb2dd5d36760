import { everyGroup } from '../catalogue';
import type { NeedyField, RestrictedOperation } from '../catalogue/compatibility';

/**
 * What of the catalogue decides who has what, by deeds such as `door/unlock`: all that a page needs to know of it, in a
 * tenth of the size.
 */
export function operationNeeds(): Readonly<Record<string, RestrictedOperation>> {
  const deeds = everyGroup.flatMap(({ noun, operations }) =>
    operations.map(({ id, title, products, firmware, fields }): [string, RestrictedOperation] => [
      `${noun}/${id}`,
      { id, title, products, firmware, fields: needyIn(fields) },
    ]),
  );
  return Object.fromEntries(deeds);
}

/** The fields that not everybody has who has their operation, or that hold such. */
function needyIn(fields: Readonly<Record<string, NeedyField>>): Readonly<Record<string, NeedyField>> {
  const needy = Object.entries(fields).map(([name, field]) => [name, needyOf(field)]);
  return Object.fromEntries(needy.filter(([, field]) => field !== undefined));
}

function needyOf(field: NeedyField): NeedyField | undefined {
  const { products, firmware, earlier, valueProducts } = field;
  const properties = needyIn(field.properties ?? {});
  const items = field.items && needyOf(field.items);
  const needy = {
    ...(products && { products }),
    ...(firmware && { firmware }),
    ...(earlier && { earlier }),
    ...(valueProducts && { valueProducts }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(items && { items }),
  };
  return Object.keys(needy).length > 0 ? needy : undefined;
}
