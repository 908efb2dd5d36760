import assert from 'node:assert/strict';
import type { Field, Fields, Operation, Shape } from '../../src/catalogue/operation';
import { type Promised, promised } from '../contract/promised';
import { everyOperation, namesOf, operationNamed } from './check';

/** Those of the document; `request` is for what is in no document yet. */
const operations = [...everyOperation]
  .filter(([operationName]) => operationName !== 'request')
  .map(([operationName, operation]) => ({ operationName, operation }));

function shapesOf(operation: Operation): readonly Shape[] {
  return [operation, ...(operation.variants ?? [])];
}

/** Every field of some fields, those inside objects and lists too, with where it is. */
function deepFields(fields: Fields, place: string): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]) => deepField(`${place}.${name}`, field));
}

function deepField(place: string, field: Field): [string, Field][] {
  return [
    [place, field],
    ...deepFields(field.properties ?? {}, place),
    ...(field.items ? deepField(`${place}[]`, field.items) : []),
  ];
}

const fields = operations.flatMap(({ operationName, operation }) =>
  shapesOf(operation).flatMap((shape) => deepFields(shape.fields, operationName)),
);

function isLater(firmware: string, than: string): boolean {
  const others = than.split('.').map(Number);
  const steps = firmware.split('.').map((number, index) => Number(number) - (others[index] ?? 0));
  return (steps.find((step) => step !== 0) ?? 0) > 0;
}

/** What the catalogue says of an operation, in the terms of a promise. */
function wordOf({
  fields,
  deviceOutput,
  isStop,
  repeatable,
  urgent,
  answer,
  minTimeoutMs,
}: Operation): Promised {
  const since = Object.entries(fields).flatMap(([name, { firmware }]) =>
    firmware ? [[name, firmware]] : [],
  );
  return {
    ...(since.length > 0 ? { since: Object.fromEntries(since) } : {}),
    ...(deviceOutput ? { deviceOutput: deviceOutput.name } : {}),
    ...(isStop ? { ends: isStop } : {}),
    ...(repeatable ? { repeatable } : {}),
    ...(urgent ? { urgent } : {}),
    ...(answer === 'none' ? {} : { answer }),
    ...(minTimeoutMs ? { seconds: minTimeoutMs / 1000 } : {}),
  };
}

/** The operations for which something holds. */
function operationsThat(holds: (operation: Operation) => boolean): string[] {
  return operations.filter(({ operation }) => holds(operation)).map(({ operationName }) => operationName);
}

describe('the catalogue', () => {
  for (const [operationName, { fields: names, ...rest }] of Object.entries(promised)) {
    it(`keeps what is promised of ${operationName}`, () => {
      const operation = operationNamed(operationName);
      const known = new Set(namesOf(operation.fields));
      assert.deepEqual(names?.split(' ').filter((name) => !known.has(name)) ?? [], []);
      if (operationName !== 'request') assert.deepEqual(wordOf(operation), rest);
    });
  }

  it('has a route for each operation, the same only where the answer tells them apart', () => {
    const asked = operations.map(({ operation: { route, answer } }) => `${route} ${answer}`);
    assert.deepEqual(
      asked.filter((one, index) => asked.indexOf(one) !== index),
      [],
    );
  });

  it('takes what its routes need from required parameters, but for queries', () => {
    let checked = 0;
    for (const { operationName, operation } of operations) {
      const [path = '', query = ''] = operation.route.split('?');
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        assert.ok(operation.required.includes(name), `${operationName} {${name}}`);
        checked += 1;
      }
      for (const [, name = ''] of query.matchAll(/\{(\w+)\}/g))
        assert.ok(name in operation.fields, operationName);
    }
    assert.ok(checked > 0);
  });

  it('reads and deletes without a body beside the one that is listed', () => {
    const reading = operations.filter(({ operation }) => operation.route.startsWith('GET '));
    assert.ok(reading.length > 0);
    for (const { operationName, operation } of reading) {
      for (const name of Object.keys(operation.fields)) {
        assert.ok(operation.route.includes(`{${name}}`), `${operationName}: ${name} has no place`);
      }
    }
  });

  it('requires only fields that there are', () => {
    for (const { operationName, operation } of operations) {
      for (const shape of shapesOf(operation)) {
        for (const name of shape.required) assert.ok(name in shape.fields, `${operationName} ${name}`);
      }
    }
    for (const [place, field] of fields) {
      for (const name of [...(field.required ?? []), ...(field.exactlyOne ?? [])]) {
        assert.ok(name in (field.properties ?? {}), `${place} ${name}`);
      }
    }
  });

  it('says in words what everything is', () => {
    assert.ok(fields.length > 0);
    const texts: [string, { title: string; description: string }][] = [
      ...operations.map(({ operationName, operation }): [string, Operation] => [operationName, operation]),
      ...fields,
    ];
    for (const [place, { title, description }] of texts) {
      assert.match(title, /^[A-Z0-9].*[^.]$/, `the title of ${place}`);
      assert.match(description, /^[A-Z0-9].*\.$/s, `the description of ${place}`);
    }
  });

  it('gates fields later than their operations, or for fewer models', () => {
    const gated = operations.flatMap(({ operationName, operation }) =>
      Object.entries(operation.fields)
        .filter(([, { firmware }]) => firmware)
        .map(([name, field]) => ({ place: `${operationName} ${name}`, field, since: operation.firmware })),
    );
    for (const { place, field, since } of gated) {
      assert.ok(isLater(field.firmware ?? '', since), place);
      if (field.earlier) assert.ok(isLater(field.firmware ?? '', field.earlier.firmware), place);
    }
    assert.ok(gated.length > 0);
  });

  it('asks for the same type in every variant', () => {
    for (const { operationName, operation } of operations) {
      for (const variant of operation.variants ?? []) {
        for (const [name, field] of Object.entries(variant.fields)) {
          const { type, names, words, format } = operation.fields[name] ?? {};
          const place = `${operationName} ${variant.id} ${name}`;
          assert.deepEqual(
            [field.type, field.names, field.words, field.format],
            [type, names, words, format],
            place,
          );
        }
        for (const name of Object.keys(variant.when)) assert.ok(variant.required.includes(name), variant.id);
      }
    }
  });

  it('repeats every read, and shows what it reads', () => {
    const reads = operationsThat(({ route }) => route.startsWith('GET '));
    assert.ok(reads.length > 0);
    assert.deepEqual(
      reads.filter(
        (operationName) =>
          !operationNamed(operationName).repeatable || operationNamed(operationName).answer === 'none',
      ),
      [],
    );
  });

  it('lets every stop go first, and has something for it to stop', () => {
    const stops = operations.filter(({ operation: { isStop } }) => isStop);
    assert.ok(stops.length > 0);
    for (const { operationName, operation: stop } of stops) {
      assert.ok(stop.urgent, operationName);
      const started = operationsThat(
        ({ deviceOutput, isStop }) => !isStop && deviceOutput?.name === stop.deviceOutput?.name,
      );
      assert.ok(stop.deviceOutput && started.length > 0, operationName);
    }
  });

  it('confirms by operations that there are, where a node has the option', () => {
    assert.deepEqual(
      operationsThat(({ options = [] }) => options.includes('confirmWrite')),
      operationsThat(({ confirm }) => confirm !== undefined),
    );
    const confirmed = operations.flatMap(({ operation }) => operation.confirm ?? []);
    assert.ok(confirmed.length > 0);
    for (const { by } of confirmed) assert.equal(operationNamed(by).answer, 'json');
  });
});
