import type { NeedyOperation } from '../../catalogue/lacks';

/** The build puts `operationNeeds()` in the place of this name (`bundle.ts`): the catalogue itself is in no page. */
declare const builtOperationNeeds: Readonly<Record<string, NeedyOperation>>;

/** What of an operation decides who has it, by its deed; undefined for one that there is not. */
export function needsOf(deed: string): NeedyOperation | undefined {
  return Object.hasOwn(builtOperationNeeds, deed) ? builtOperationNeeds[deed] : undefined;
}
