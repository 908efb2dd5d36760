import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { Fields, Operation } from '../../src/catalogue/operation';
import { routes } from '../../src/virtual-device/routes';
import { books } from '.';
import { matches } from './routes';

const everything = Object.values(books).flat();
const operations = new Map<string, Operation>(
  everyGroup.flatMap(({ noun, operations }) =>
    operations.map((operation) => [operation.id === noun ? noun : `${noun}/${operation.id}`, operation]),
  ),
);

/** The dotted names of all fields, those inside of objects too. */
function namesOf(fields: Fields, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...(field.properties ? namesOf(field.properties, `${prefix}${name}.`) : []),
  ]);
}

function given(parameters: unknown, dotted: string): boolean {
  let value = parameters;
  for (const name of dotted.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value !== undefined;
}

describe('the transcripts reach everything', () => {
  it('has something to reach', () => {
    assert.ok(operations.size > 0 && routes.length > 0 && everything.length > 0);
  });

  for (const [deed, operation] of operations) {
    const asked = everything.filter(({ ask }) => ask?.operation === deed);

    it(`${deed} is sent, and refused`, () => {
      assert.ok(
        asked.some(({ request }) => request),
        'no transcript sends it',
      );
      assert.ok(
        asked.some(({ refusal }) => refusal),
        'no transcript is refused',
      );
    });

    for (const name of namesOf(operation.fields)) {
      it(`${deed}: ${name} is given`, () => {
        const giving = asked.filter(({ request, ask }) => request && given(ask?.parameters, name));
        assert.ok(giving.length > 0, 'no transcript gives it');
      });
    }
  }

  for (const route of routes) {
    it(`${route.method} ${route.segments.join('/')} is reached, and turns something down`, () => {
      const reaching = everything.filter(({ request }) => matches(route, request));
      const statuses = reaching.flatMap(({ answer }) => (answer ? [answer.status] : []));
      assert.ok(
        statuses.some((status) => status < 300),
        'no transcript reaches it',
      );
      assert.ok(
        statuses.some((status) => status >= 400),
        'no transcript is turned down',
      );
    });
  }

  it('no transcript asks for what the catalogue lacks', () => {
    const deeds = new Set(everything.flatMap(({ ask }) => (ask ? [ask.operation] : [])));
    assert.deepEqual([...deeds].sort(), [...operations.keys()].sort());
  });

  it('every title is told apart', () => {
    const titles = everything.map(({ title, device, request, ask }) =>
      [title, device.model, device.firmware, request?.line, ask?.operation].join(' | '),
    );
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });
});
