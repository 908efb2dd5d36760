import assert from 'node:assert/strict';
import type { Receipt } from '../../src/runtime/message/receipt';
import type { NodeConfig } from '../fixtures/flow';

/** A door node as the editor stores it. */
export function door(
  operation: string,
  form: Record<string, unknown>,
  more: Record<string, unknown> = {},
): NodeConfig {
  return { id: 'door', type: 'algo-door', target: 'device', device: 'gate', operation, form, ...more };
}

export const local = { doorid: { type: 'str', value: 'local' } };
export const fiveSeconds = { ...local, duration: { type: 'str', value: '5' } };

/** The receipt, when there has to be one alone. */
export function only(receipts: readonly Receipt[] | undefined): Receipt {
  assert.equal(receipts?.length, 1);
  const [receipt] = receipts;
  assert.ok(receipt);
  return receipt;
}
