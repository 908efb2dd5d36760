import { type EventEmitter, once } from 'node:events';
import helper from 'node-red-node-test-helper';
import type { Receipt } from '../../src/runtime/action/receipt';
import type { AlertState } from '../../src/runtime/alert/alert';
import type { AlertNews } from '../../src/runtime/alert/teller';
import type { FakeDevice } from '../delivery/fake-device';
import { formOf, given, receiptLog, Site, type Way } from '../delivery/site';
import { type NodeConfig, statusesOf, type TestMessage } from '../nodes/flow';

/** One deed with what it needs, and more. */
export function deed(
  operation: string,
  more: Record<string, string | number | boolean> = {},
): Record<string, unknown> {
  return { operation, form: formOf({ ...given[operation], ...more }) };
}

let count = 0;

/** An alert with an id of its own, since alerts outlive the flows of one test. */
export function alertNode(deeds: readonly unknown[], more: Record<string, unknown> = {}): NodeConfig {
  count += 1;
  const id = `alert-${count}`;
  // The operation makes it one of the nodes whose messages are followed to their ends.
  return {
    id,
    type: 'algo-alert',
    name: `Alert ${count}`,
    operation: '',
    target: 'msg',
    deeds,
    // Most tests look at what one message does.
    retryAlert: false,
    wires: [['out'], ['states']],
    ...more,
  } as NodeConfig;
}

export const states: NodeConfig = { id: 'states', type: 'helper', z: 'tab', x: 100, y: 100 };

/** What most tests of alerts have. */
export interface Place {
  readonly site: Site;
  /** A display, and a door controller with a relay. */
  readonly wall: FakeDevice;
  readonly door: FakeDevice;
}

/**
 * Makes a place before each test of the `describe` that calls it, and clears it away after.
 * @returns starts Node-RED there with these nodes
 */
export function eachWithPlace(made: (place: Place) => void): (...more: NodeConfig[]) => Promise<void> {
  let place: Place | undefined;
  beforeEach(async () => {
    const site = new Site();
    place = { site, wall: await site.device('Wall', '8410'), door: await site.device('Door', '8063') };
    made(place);
  });
  afterEach(() => place?.site.end());
  return async (...more) => {
    const devices = [place?.wall, place?.door].flatMap((device) => device?.config() ?? []);
    await place?.site.start([...devices, states, ...receiptLog(), ...more]);
  };
}

/** A receipt in a few words. */
export const short = ({ device, operation, outcome }: Receipt) => `${device} ${operation} ${outcome}`;

/** What a message says of its alert when it leaves. */
export function alertOf({ sent, caught }: Way): AlertState {
  return (sent.at(-1) ?? caught.at(-1))?.alert as AlertState;
}

/** What the second outputs have told, in short. */
export function toldBy(site: Site, topic: unknown): string[] {
  return site
    .inbox('states')
    .filter((message) => message.topic === topic)
    .map(({ payload }: TestMessage) => {
      const { event, waiting } = payload as AlertNews;
      return [event, ...waiting].join(' ');
    });
}

/** The same without who was pending for how long: a slow machine tells that, a fast one does not. */
export function eventsBy(site: Site, topic: unknown): string[] {
  return toldBy(site, topic).filter((told) => !told.startsWith('pending'));
}

/** Resolves when a node shows this. */
export async function shown(id: string, text: string): Promise<void> {
  const node = helper.getNode(id) as unknown as EventEmitter;
  while (statusesOf(id).at(-1)?.text !== text) await once(node, 'call:status');
}
