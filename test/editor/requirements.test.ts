import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import { findUnsupported } from '../../src/catalogue/compatibility';
import type { Identity } from '../../src/catalogue/identity';
import type { Fields, Operation } from '../../src/catalogue/operation';
import { knownModels } from '../../src/catalogue/product-classes';
import { operationRequirements } from '../../src/editor/requirements';

/** Parameters that are all there, with each value that the catalogue knows. */
function* givenTo(fields: Fields): Generator<Record<string, unknown>> {
  for (const [name, { properties, items, valueProducts }] of Object.entries(fields)) {
    yield { [name]: undefined };
    for (const value of Object.keys(valueProducts ?? {})) yield { [name]: value };
    for (const inner of givenTo(properties ?? {})) yield { [name]: inner };
    for (const inner of givenTo(items?.properties ?? {})) yield { [name]: [inner] };
  }
}

describe('what a page knows of who has what', () => {
  const needs = operationRequirements();
  const identities: Identity[] = knownModels.flatMap((model) =>
    ['3.2', '5.4', '5.5', '5.6', '5.7', '6.0'].map((firmware) => ({ model, firmware })),
  );

  it('leads to what the runtime finds, for all operations, fields, models and firmwares', () => {
    let compared = 0;
    for (const { resource, operations } of everyGroup) {
      for (const operation of operations as readonly Operation[]) {
        const known = needs[`${resource}/${operation.id}`] ?? assert.fail(operation.id);
        for (const given of [{}, ...givenTo(operation.fields)]) {
          for (const identity of identities) {
            const [own, whole] = [
              findUnsupported(known, given, identity),
              findUnsupported(operation, given, identity),
            ];
            assert.equal(own?.because, whole?.because);
            assert.equal(String(own?.sentence), String(whole?.sentence));
            assert.deepEqual(own?.need.products, whole?.need.products);
            compared += whole ? 1 : 0;
          }
        }
      }
    }
    assert.ok(compared > 1_000, `only ${compared} lacks`);
  });

  it('is no longer than it has to be', () => {
    assert.ok(JSON.stringify(needs).length < 12_000);
  });
});
