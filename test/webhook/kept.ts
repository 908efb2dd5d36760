import assert from 'node:assert/strict';
import { PropertyFinding } from '../../src/kernel/property';
import { readWebhook, type WebhookProperties } from '../../src/runtime/webhook/settings';
import type { Accepted, Refusal, RequestFacts, Webhook } from '../../src/runtime/webhook/webhook';

/** A webhook that keeps what it gets. */
export class Kept implements Webhook {
  isClosed = false;
  readonly accepted: Accepted[] = [];
  readonly refused: (RequestFacts & { reason: Refusal })[] = [];
  readonly settings;
  mayCall = (_address: string): boolean => true;
  settled = (): Promise<void> => Promise.resolve();
  lookUp = (_address: string): Promise<void> | undefined => undefined;

  constructor(
    readonly nodeId: string,
    properties: WebhookProperties,
    private readonly tell: () => void,
  ) {
    const roots = { node: '/', admin: '/' };
    const settings = readWebhook(properties, { id: nodeId, password: 'sesame' }, roots);
    assert.ok(!(settings instanceof PropertyFinding));
    this.settings = settings;
  }

  accept(request: Accepted): void {
    this.accepted.push(request);
    this.tell();
  }

  refuse(reason: Refusal, facts: RequestFacts): void {
    this.refused.push({ reason, ...facts });
    this.tell();
  }

  warnOfEditor(): void {}
}
