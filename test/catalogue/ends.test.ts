import assert from 'node:assert/strict';
import type { Operation } from '../../src/catalogue/operation';
import { checkParameters } from '../../src/catalogue/validate';
import { everyOperation, operationNamed } from './check';

interface Ended {
  readonly by: string;
  readonly takes?: string;
  readonly field?: string;
  /** The first firmware that has the field; absent where it is as old as the operation. */
  readonly since?: string;
}

/** Typed by hand from docs/contract.md 2.5 and the sections 4.4 to 4.12. */
const ended: Readonly<Record<string, Ended>> = {
  'door/unlock': { by: 'door/lock', takes: 'doorid' },
  'tone/start': { by: 'tone/stop', takes: 'path', field: 'duration', since: '5.7' },
  'tone/test-loop': { by: 'tone/test-stop' },
  'strobe/start': { by: 'strobe/stop', field: 'duration', since: '5.7' },
  'screen/start': { by: 'screen/stop', field: 'stopAfter', since: '5.7' },
  'screen/text-start': { by: 'screen/text-stop', field: 'duration' },
  'call/start': { by: 'call/stop' },
  'call/page': { by: 'call/stop' },
  'relay/enable': { by: 'relay/disable' },
  'relay/24v-enable': { by: 'relay/24v-disable' },
  'emergency/start': { by: 'emergency/stop' },
  'audio/rx-start': { by: 'audio/rx-stop' },
};

/** What the catalogue says of how an operation is ended. */
function wordOf(operationName: string, { autoStop, fields }: Operation): Ended | undefined {
  if (!autoStop) return undefined;
  const resource = operationName.slice(0, operationName.indexOf('/'));
  const since = autoStop.field === undefined ? undefined : fields[autoStop.field]?.firmware;
  return {
    by: `${resource}/${autoStop.by}`,
    ...(autoStop.takes && { takes: autoStop.takes.join(' ') }),
    ...(autoStop.field !== undefined && { field: autoStop.field }),
    ...(since !== undefined && { since }),
  };
}

const withEnd = [...everyOperation].flatMap(([operationName, operation]) =>
  operation.autoStop ? [{ operationName, operation, end: operation.autoStop }] : [],
);

describe('how the catalogue ends what was started', () => {
  it('is by these operations and no others', () => {
    const found = withEnd.map(({ operationName, operation }) => [
      operationName,
      wordOf(operationName, operation),
    ]);
    assert.deepEqual(Object.fromEntries(found), ended);
  });

  it('is by an operation of the same device output that ends it', () => {
    assert.ok(withEnd.length > 0);
    for (const { operationName, operation } of withEnd) {
      const by = operationNamed(ended[operationName]?.by ?? '');
      assert.equal(by.isStop, true, operationName);
      assert.deepEqual(by.deviceOutput, operation.deviceOutput, operationName);
    }
  });

  it('hands over what both have, and all that the end requires', () => {
    for (const { operationName, operation, end } of withEnd) {
      const by = operationNamed(ended[operationName]?.by ?? '');
      for (const name of end.takes ?? [])
        assert.equal(by.fields[name]?.type, operation.fields[name]?.type, name);
      for (const name of by.required) assert.ok(end.takes?.includes(name), `${operationName} ${name}`);
    }
  });

  it('is by the device in whole seconds, in every variant', () => {
    const byDevice = withEnd.filter(({ end }) => end.field !== undefined);
    assert.ok(byDevice.length > 0);
    for (const { operationName, operation, end } of byDevice) {
      for (const { fields } of [operation, ...(operation.variants ?? [])]) {
        const { type, unit, minimum, maximum } = fields[end.field ?? ''] ?? {};
        assert.deepEqual(
          { type, unit, minimum, maximum },
          { type: 'integer', unit: 's', minimum: 0, maximum: undefined },
          operationName,
        );
      }
    }
  });

  it("leaves a slideshow its slides' duration", () => {
    const slides = { slideNames: 'a,b', duration: 10, overrideStrobe: false };
    const checked = checkParameters(operationNamed('screen/start'), { ...slides, stopAfter: 60 });
    assert.deepEqual(checked.ok && checked.parameters, { ...slides, stopAfter: 60 });
  });
});
