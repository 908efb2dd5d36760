import { isRecord } from '../json';
import type { Parameters } from './operation';
import { type Report, unknown } from './report';
import type { Schema } from './schema';
import { type Test, valueKeywords } from './value-keywords';

/** Whether a value matches a schema; `open` if the result depends on values that are not known yet. */
export type ValidationResult = 'good' | 'bad' | 'open';

/**
 * A compiled schema. With a report, the check continues after a fault, to report other faults too. Without a
 * report, the check stops at the first fault.
 */
export type Check = CheckOf<unknown>;

type CheckOf<T> = (data: T, report?: Report) => ValidationResult;

/**
 * Compiles a schema into closures, since the content security policy of some pages forbids generated code.
 * @throws Error for an unknown keyword, type or format, so that no part of a schema is ignored
 */
export function compile(schema: Schema): Check {
  const apart = 'if' in schema ? [...annotations, 'then', 'else'] : annotations;
  const names = Object.keys(schema).filter((name) => !apart.includes(name));
  const stranger = names.find((name) => tables.every((table) => !Object.hasOwn(table, name)));
  if (stranger) throw new Error(`A schema has the keyword ${stranger}, which is not known here`);
  const tests = names.flatMap((name) => {
    const test = own(valueKeywords, name)?.(schema[name] as never);
    return test ? [{ name, test }] : [];
  });
  const ofRecord = names.flatMap((name) => own(members, name)?.(schema[name] as never, schema) ?? []);
  const others = names.flatMap((name) => own(applied, name)?.(schema[name] as never, schema) ?? []);
  const rest = every([...(ofRecord.length > 0 ? [ofRecords(every(ofRecord))] : []), ...others]);
  return tests.length > 0 ? compileTests(tests, schema, rest) : rest;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

const good: Check = () => 'good';

const annotations = ['title', 'description', 'examples', 'because'];

function every<T>(checks: readonly CheckOf<T>[]): CheckOf<T> {
  const [only = good, second] = checks;
  if (!second) return only;
  return (data, report) => {
    let result: ValidationResult = 'good';
    for (const check of checks) {
      const one = check(data, report);
      if (one === 'good') continue;
      if (one === 'bad' && !report) return one;
      result = worse(result, one);
    }
    return result;
  };
}

function worse(one: ValidationResult, other: ValidationResult): ValidationResult {
  if (one === 'bad' || other === 'bad') return 'bad';
  return one === 'open' ? one : other;
}

function compileTests(tests: readonly { name: string; test: Test }[], schema: Schema, rest: Check): Check {
  const isLast = rest === good;
  return (data, report) => {
    if (data === unknown) return isLast ? 'open' : worse('open', rest(data, report));
    for (const { name, test } of tests) {
      if (test(data)) continue;
      report?.add(name, schema, data);
      return 'bad';
    }
    return isLast ? 'good' : rest(data, report);
  };
}

const members: Readonly<Record<string, (value: never, schema: Schema) => CheckOf<Parameters>>> = {
  required: (names: readonly string[], schema) => (record, report) => {
    let result: ValidationResult = 'good';
    for (const name of names) {
      if (Object.hasOwn(record, name)) continue;
      report?.add('required', schema, record, name);
      result = 'bad';
    }
    return result;
  },
  exactlyOne: (names: readonly string[], schema) => (record, report) => {
    let count = 0;
    for (const name of names) if (Object.hasOwn(record, name)) count += 1;
    if (count === 1) return 'good';
    report?.add('exactlyOne', schema, record);
    return 'bad';
  },
  properties: (schemas: Readonly<Record<string, Schema>>, schema) => {
    if ('additionalProperties' in schema) return compileAll(schema);
    const checks = Object.entries(schemas).map(([name, one]) => ({ name, check: compile(one) }));
    return (record, report) => {
      let result: ValidationResult = 'good';
      for (const { name, check } of checks) {
        if (!Object.hasOwn(record, name)) continue;
        const one = within(check, record[name], name, report);
        if (one === 'good') continue;
        if (one === 'bad' && !report) return one;
        result = worse(result, one);
      }
      return result;
    };
  },
  additionalProperties: (_: unknown, schema) => ('properties' in schema ? good : compileAll(schema)),
  propertyNames: (names: Schema, schema) => {
    const check = compile(names);
    return (record, report) => {
      let result: ValidationResult = 'good';
      for (const name of Object.keys(record)) {
        if (check(name) === 'good') continue;
        report?.add('propertyNames', schema, record, name);
        result = 'bad';
      }
      return result;
    };
  },
};

function compileAll(schema: Schema): CheckOf<Parameters> {
  const { properties = {}, additionalProperties: others } = schema;
  const listed = Object.entries(properties as Readonly<Record<string, Schema>>);
  const checks = new Map(listed.map(([name, property]) => [name, compile(property)]));
  const other = others === false ? undefined : compile(others as Schema);
  return (record, report) => {
    let result: ValidationResult = 'good';
    for (const name of Object.keys(record)) {
      const check = checks.get(name) ?? other;
      if (!check) report?.add('additionalProperties', schema, record, name);
      const one = check ? within(check, record[name], name, report) : 'bad';
      if (one === 'good') continue;
      if (one === 'bad' && !report) return one;
      result = worse(result, one);
    }
    return result;
  };
}

/** In JSON Schema, the keywords for objects accept every value that is not an object. */
function ofRecords(check: CheckOf<Parameters>): Check {
  return (data, report) => {
    if (data === unknown) return 'open';
    return isRecord(data) ? check(data, report) : 'good';
  };
}

const applied: Readonly<Record<string, (value: never, schema: Schema) => Check>> = {
  items: (items: Schema) => {
    const check = compile(items);
    return (data, report) => {
      if (data === unknown) return 'open';
      if (!Array.isArray(data)) return 'good';
      let result: ValidationResult = 'good';
      for (let index = 0; index < data.length; index += 1) {
        const one = within(check, data[index], index, report);
        if (one === 'good') continue;
        if (one === 'bad' && !report) return one;
        result = worse(result, one);
      }
      return result;
    };
  },
  allOf: (schemas: readonly Schema[]) => every(schemas.map(compile)),
  anyOf: (schemas: readonly Schema[], schema) => {
    const checks = schemas.map(compile);
    return (data, report) => {
      let best: ValidationResult = 'bad';
      for (const check of checks) {
        const result = check(data);
        if (result === 'good') return result;
        if (result === 'open') best = result;
      }
      if (best === 'bad') report?.add('anyOf', schema, data);
      return best;
    };
  },
  not: (refused: Schema, schema) => {
    const check = compile(refused);
    return (data, report) => {
      const result = check(data);
      if (result === 'open') return result;
      if (result === 'bad') return 'good';
      report?.add('not', schema, data);
      return 'bad';
    };
  },
  if: (condition: Schema, schema) => {
    const check = compile(condition);
    const onGood = schema.then ? compile(schema.then as Schema) : good;
    const onBad = schema.else ? compile(schema.else as Schema) : good;
    return (data, report) => {
      const result = check(data);
      if (result === 'open') return result;
      return result === 'good' ? onGood(data, report) : onBad(data, report);
    };
  },
};

const tables = [valueKeywords, members, applied];

function within(
  check: Check,
  data: unknown,
  name: string | number,
  report: Report | undefined,
): ValidationResult {
  if (!report) return check(data);
  report.enter(String(name));
  const result = check(data, report);
  report.leave();
  return result;
}
