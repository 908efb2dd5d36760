import type { RestrictedOperation } from '../../catalogue/compatibility';

/** The build puts `operationNeeds()` in the place of this name (`bundle.ts`): the catalogue itself is in no page. */
declare const builtOperationNeeds: Readonly<Record<string, RestrictedOperation>>;

/** What of an operation decides who has it, by its deed; undefined for one that there is not. */
export function needsOf(deed: string): RestrictedOperation | undefined {
  return Object.hasOwn(builtOperationNeeds, deed) ? builtOperationNeeds[deed] : undefined;
}
