import assert from 'node:assert/strict';
import type { Deed, Named } from '../../src/runtime/alert/alert';
import type { Ticket } from '../../src/runtime/alert/place';
import type { Model, Wish } from './model';

/** What is on at a place of a device, by whom. */
export type Lit = { readonly by: string; readonly lasting: boolean } | undefined;

/** A deed that is no other. */
export function deedOf(subject: string, number: number, lasts: boolean): Deed {
  return {
    operation: `${subject}/start`,
    parameters: { number },
    repeatable: subject === 'strobe',
    ...(lasts && { end: { operation: `${subject}/stop`, parameters: {} } }),
  };
}

export function wishOf({ end, parameters, repeatable }: Deed): Wish {
  return { deed: parameters.number, lasting: end !== undefined, repeatable };
}

export function placeOf({ place }: Ticket): string {
  return `${whereIs(place)}/${place.subject}`;
}

export function whereIs({ device }: Ticket['place']): string {
  return device.where ?? device.id;
}

/** A device as one of the nodes and rows that name it. */
export function namedOf(where: string, number: number): Named {
  const id = `${where} ${number}`;
  return { id, name: id, where };
}

/** Where nothing is on its way, what is on is what the model says. */
export function assertPromised(model: Model, place: string, is: Lit): void {
  const there = model.there.get(place);
  const owner = model.owner(place);
  const comesBack = owner !== undefined && model.mayComeBack(owner, place);
  assert.ok(!comesBack, `${owner} has to come back at ${place}`);
  if (!there?.lasting) assert.ok(!is?.lasting || is.by === 'person', `${place} was left on`);
  else {
    assert.ok(model.on.get(there.alert)?.wants.has(place), `${place} still has to be ended`);
    if (there.isSure) assert.equal(is?.by, there.alert, `${place} has to be on`);
  }
}
