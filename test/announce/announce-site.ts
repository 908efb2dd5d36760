import type { Receipt } from '../../src/runtime/message/receipt';
import type { NodeConfig } from '../fixtures/flow';
import { receiptLog, receiptsOf, Site, type Way } from '../fixtures/site';
import { Speaker } from './speaker';

const onTab = { z: 'tab', x: 100, y: 100 };

/** An announcement node whose second output leads to the inbox `events`. */
export function announce(more: Record<string, unknown> = {}): NodeConfig {
  // The operation makes it one of the nodes whose messages are followed to their ends.
  const wires = [['out'], ['events']];
  return { id: 'announce', type: 'algo-announce', operation: '', target: 'msg', wires, ...more };
}

/** Speakers, and a Node-RED that plays announcements on them. */
export class AnnounceSite {
  readonly site = new Site();
  readonly #speakers: Speaker[] = [];

  async speaker(name: string, model?: string, firmware?: string): Promise<Speaker> {
    const speaker = await new Speaker(name, model, firmware).open();
    // A look that finds nothing new costs nothing.
    speaker.onHeard = () => this.site.look();
    this.#speakers.push(speaker);
    return speaker;
  }

  start(...nodes: NodeConfig[]): Promise<void> {
    const devices = this.#speakers.map((speaker) => speaker.config());
    return this.startWith([...devices, ...nodes]);
  }

  startWith(nodes: readonly NodeConfig[]): Promise<void> {
    return this.site.start([...nodes, { ...onTab, id: 'events', type: 'helper' }, ...receiptLog()]);
  }

  redeploy(nodes: readonly NodeConfig[], type: 'nodes' | 'full' = 'nodes'): Promise<void> {
    return this.site.redeploy([...nodes, ...receiptLog()], type);
  }

  send(message: Record<string, unknown>, id = 'announce'): Way {
    return this.site.send(id, message);
  }

  ask(message: Record<string, unknown>, id = 'announce'): Promise<Way> {
    return this.site.ask(id, message);
  }

  /** The events so far, in a few words. */
  get events(): string[] {
    return this.site.inbox('events').map(({ payload }) => {
      const { event, device, reason, code } = payload as Record<string, string | null>;
      return [device, event, code ?? reason].filter(Boolean).join(' ');
    });
  }

  async until(event: string): Promise<string[]> {
    await this.site.until(event, () => this.events.includes(event));
    return this.events;
  }

  async end(): Promise<void> {
    for (const speaker of this.#speakers) speaker.releaseAll();
    await this.site.end();
    await Promise.all(this.#speakers.map((speaker) => speaker.close()));
  }
}

/** The receipts of a message in a few words. */
export function shortOf(way: Way): string[] {
  return receiptsOf(way).map(short);
}

export function short({ device, operation, outcome, error, note }: Receipt): string {
  return [device, operation, outcome, error?.code, note && `(${note})`].filter(Boolean).join(' ');
}
