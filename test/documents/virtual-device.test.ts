import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { books } from '../contract';
import { equipment } from '../contract/traces';
import type { Request, Transcript } from '../contract/transcript';
import { send } from '../contract/wire';
import { breach, describedBy } from './document';

/** Values that are often wrong, and that a careless check lets through. */
const odd: readonly unknown[] = [-1, 1.5, '', 'x', true, null, [], {}];

type Path = readonly (string | number)[];

/** The places of all values within a body. */
function placesIn(value: unknown, place: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [place];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inside = keys.flatMap((key) => placesIn((value as Record<string, unknown>)[key], [...place, key]));
  return place.length > 0 ? [place, ...inside] : inside;
}

function replaced(body: unknown, place: Path, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const copy = structuredClone(body) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, value);
  return copy;
}

/** The bodies that the OpenAPI document refuses, each one value away from a body that a device accepts. */
function wrongBodies({ line, json }: Request): { readonly body: unknown; readonly what: string }[] {
  const schema = describedBy(line)?.operation.requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  return placesIn(json).flatMap((place) =>
    odd.flatMap((value) => {
      const body = replaced(json, place, value);
      const names = place.filter((key) => typeof key === 'string').join('.');
      return breach(schema, body) ? { body, what: `${line} ${names}: ${JSON.stringify(value)}` } : [];
    }),
  );
}

describe('the virtual device, held against the OpenAPI document,', () => {
  const { request: _, ...named } = books;
  const accepted = Object.values(named)
    .flat()
    .flatMap((one: Transcript) => {
      const { request, answer, device, before = [] } = one;
      const isAccepted = request?.json !== undefined && (answer?.status ?? 400) < 300;
      return isAccepted ? [{ request, device, before }] : [];
    });

  it('refuses each body that the document refuses', async () => {
    const seen = new Set<string>();
    const taken: string[] = [];
    for (const { request, device, before } of accepted) {
      const wrong = wrongBodies(request).filter(({ what }) => !seen.has(what));
      for (const { what } of wrong) seen.add(what);
      if (wrong.length === 0) continue;
      const virtual = new VirtualDevice({ ...device, ...equipment, auth: 'none' });
      const url = await virtual.start();
      try {
        for (const earlier of before) await send(url, { ...earlier, signature: 'absent' });
        for (const { body, what } of wrong) {
          const { status } = await send(url, { ...request, json: body, signature: 'absent' });
          if (status < 400) taken.push(what);
        }
      } finally {
        await virtual.stop();
      }
    }
    assert.ok(seen.size > 1_000, String(seen.size));
    assert.deepEqual(taken, []);
  });
});
