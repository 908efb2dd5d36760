import { everyGroup } from '../catalogue';
import type { RestrictedField, RestrictedOperation } from '../catalogue/compatibility';

/**
 * Returns the requirements of all operations, keyed by names such as `door/unlock`. The build inserts these
 * requirements into the scripts instead of the much larger catalogue.
 */
export function operationRequirements(): Readonly<Record<string, RestrictedOperation>> {
  const requirements = everyGroup.flatMap(({ resource, operations }) =>
    operations.map(({ id, title, products, firmware, fields }): [string, RestrictedOperation] => [
      `${resource}/${id}`,
      { id, title, products, firmware, fields: restrictedIn(fields) },
    ]),
  );
  return Object.fromEntries(requirements);
}

function restrictedIn(
  fields: Readonly<Record<string, RestrictedField>>,
): Readonly<Record<string, RestrictedField>> {
  const restricted = Object.entries(fields).map(([name, field]) => [name, restrictionOf(field)]);
  return Object.fromEntries(restricted.filter(([, field]) => field !== undefined));
}

function restrictionOf(field: RestrictedField): RestrictedField | undefined {
  const { products, firmware, earlier, valueProducts } = field;
  const properties = restrictedIn(field.properties ?? {});
  const items = field.items && restrictionOf(field.items);
  const restricted = {
    ...(products && { products }),
    ...(firmware && { firmware }),
    ...(earlier && { earlier }),
    ...(valueProducts && { valueProducts }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(items && { items }),
  };
  return Object.keys(restricted).length > 0 ? restricted : undefined;
}
