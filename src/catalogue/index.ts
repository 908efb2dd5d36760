import { door } from './door';
import type { OperationGroup } from './operation';
import { tone } from './tone';

/** Every node's operations, in the document's order. The editor, the documents and the tests iterate it. */
export const catalogue = [door, tone] as const satisfies readonly OperationGroup[];
