import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { formats, isAcceptable } from '../../src/catalogue/formats';
import type { Format } from '../../src/catalogue/operation';
import type { Fault } from '../../src/catalogue/report';
import type { Schema } from '../../src/catalogue/schema';

/** The validator that judges ours. */
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  formats: Object.fromEntries(
    Object.keys(formats).map((name) => [name, (text: string) => isAcceptable(name as Format, text)]),
  ),
});
ajv.addKeyword('because');
ajv.addKeyword({ keyword: 'binary', validate: (_: true, value: unknown) => Buffer.isBuffer(value) });
ajv.addKeyword({
  keyword: 'exactlyOne',
  type: 'object',
  validate: (names: readonly string[], value: object) =>
    names.filter((name) => Object.hasOwn(value, name)).length === 1,
});

/** A schema as ajv compiles it. */
export function ajvCheck(schema: Schema): ValidateFunction {
  return ajv.compile(schema);
}

/** What ajv found, in our words. */
export function faultsOf(errors: readonly ErrorObject[] | null | undefined): Fault[] {
  // What a condition or a name's own check found is told by another error.
  const relevant = (errors ?? []).filter(
    ({ keyword, propertyName }) => keyword !== 'if' && propertyName === undefined,
  );
  // Nor does it matter what is in a list that is too long.
  const tooLong = relevant.filter(({ keyword }) => keyword === 'maxItems').map((error) => error.instancePath);
  const kept = relevant.filter(
    ({ instancePath }) => !tooLong.some((list) => instancePath.startsWith(`${list}/`)),
  );
  return kept.map(({ keyword, instancePath, parentSchema = {}, params, data }) => {
    const name: unknown = params.missingProperty ?? params.additionalProperty ?? params.propertyName;
    const path = instancePath.split('/').slice(1).map(unescapePointer);
    return { keyword, schema: parentSchema, path, data, ...(typeof name === 'string' && { name }) };
  });
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
