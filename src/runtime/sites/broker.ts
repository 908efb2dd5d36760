import type { Node, NodeAPI } from 'node-red';
import { describeFault, wordsOf } from '../../client/errors';
import type { Signing, Unsaid } from '../../sites/signing';

/** What we use of MQTT.js's client, which core's broker node has. */
interface Client {
  readonly stream?: { setNoDelay?(on: boolean): unknown };
  readonly outgoing?: Record<number, { readonly cb?: unknown }>;
  subscribe(topics: object, options: object, done: (error?: Error | null) => void): unknown;
  unsubscribe(topics: string[]): unknown;
  publish(topic: string, payload: string, options: object, done: (error?: unknown) => void): unknown;
  getLastMessageId(): number;
  removeOutgoingMessage(id: number): unknown;
  on(event: 'message', listener: MessageListener): unknown;
  removeListener(event: 'message', listener: MessageListener): unknown;
}

type MessageListener = (topic: string, payload: Buffer, packet: Packet) => void;

interface Packet {
  readonly properties?: {
    readonly messageExpiryInterval?: number;
    readonly userProperties?: Readonly<Record<string, unknown>>;
  };
}

/** Core's `mqtt-broker` node. */
export interface BrokerNode extends Node {
  readonly connected: boolean;
  readonly client?: Client;
  readonly options?: { readonly protocolVersion?: number; readonly clean?: boolean };
  register(user: object): void;
  deregister(user: object, done: () => void, removed: boolean): void;
}

/** What a broker tells. */
interface BrokerEvents {
  /**
   * Everything is subscribed to.
   * @param subscribedAt when that was asked for, on the clock that never jumps
   */
  connected(subscribedAt: number): void;
  disconnected(): void;
  /** @param expiry seconds left; undefined where the message never expires */
  message(topic: string, payload: Buffer, expiry: number | undefined): void;
  /** It was not signed as it has to be, and counts as not said. */
  unsaid?(topic: string, reason: Unsaid): void;
  /** The broker does not let it subscribe, so that it will hear nothing. */
  refused(words: string): void;
  /** A fault of ours. */
  warn(sentence: string): void;
}

/**
 * The user property that has the signature of a message. Beside the message, so that who has no key reads it as before;
 * a broker, or a bridge, that passes the expiry on has to pass it on, too.
 */
const signatureProperty = 'algo-signature';

/** How many nodes listen to a topic over one client. */
const listening = new WeakMap<Client, Map<string, number>>();

/** The broker node of this id, or why it cannot be used. */
export function brokerNode(RED: NodeAPI, id: unknown): BrokerNode | string {
  const node = id ? (RED.nodes.getNode(String(id)) as unknown as BrokerNode | null) : null;
  if (typeof node?.register !== 'function') return 'No MQTT broker is chosen: open the node and choose one';
  const name = node.name || node.id;
  if (node.options?.protocolVersion !== 5) {
    return `The broker "${name}" is not set to MQTT 5: open it and choose the protocol "MQTT V5"`;
  }
  if (node.options.clean === false) {
    return `The broker "${name}" keeps a session: open it and switch "Use clean start" on`;
  }
  return node;
}

/**
 * One node's use of core's broker node: its subscriptions, and what it publishes. What was not acknowledged when the
 * connection was lost is given up: sent later it would be as good as new.
 */
export class Broker {
  #client: Client | undefined;
  #isOpen = false;
  #isClosed = false;
  readonly #unacknowledged = new Set<{ readonly client: Client; readonly id: number }>();
  readonly #user: object;
  readonly #onMessage: MessageListener = (topic, payload, packet) =>
    this.#guard(() => this.#hear(topic, payload, packet));

  /**
   * @param filters in the order in which they are subscribed to
   * @param signing signs what is published, and lets through what is signed
   */
  constructor(
    private readonly node: BrokerNode,
    id: string,
    private readonly filters: readonly string[],
    private readonly events: BrokerEvents,
    private readonly signing?: Signing,
  ) {
    // Core's broker node tells its users of its connection by their status.
    this.#user = { id, status: () => this.#guard(() => this.#look()) };
  }

  open(): void {
    this.node.register(this.#user);
    this.#look();
  }

  /** @param removed as Node-RED says: whether this was the last use of the broker */
  close(removed: boolean, done: () => void): void {
    this.#isClosed = true;
    this.#leave();
    this.node.deregister(this.#user, done, removed);
  }

  /**
   * @param options retained messages go out with QoS 1, others with QoS 0; `expiry` in seconds
   * @param refused told in the broker's words that it does not take it
   */
  publish(
    topic: string,
    message: object | undefined,
    { retain, expiry }: { readonly retain: boolean; readonly expiry?: number | undefined },
    refused: (words: string) => void = () => {},
  ): void {
    const client = this.#client;
    if (!client || !this.node.connected) return;
    const payload = message ? JSON.stringify(message) : '';
    const signature = message && this.signing?.sign(topic, payload, expiry);
    const properties = {
      ...(expiry !== undefined && { messageExpiryInterval: expiry }),
      ...(signature && { userProperties: { [signatureProperty]: signature } }),
    };
    let sent: { readonly client: Client; readonly id: number } | undefined;
    const done = (error?: unknown) => {
      if (sent) this.#unacknowledged.delete(sent);
      const code = (error as { code?: unknown } | undefined)?.code;
      if (error && typeof code === 'number' && code >= 128) this.#guard(() => refused(wordsOf(error)));
    };
    client.publish(topic, payload, { qos: retain ? 1 : 0, retain, properties }, done);
    const id = client.getLastMessageId();
    if (!retain || client.outgoing?.[id]?.cb !== done) return;
    sent = { client, id };
    this.#unacknowledged.add(sent);
  }

  #hear(topic: string, payload: Buffer, { properties }: Packet): void {
    const expiry = properties?.messageExpiryInterval;
    const worth = this.signing?.judge(
      topic,
      payload,
      expiry,
      properties?.userProperties?.[signatureProperty],
    ) ?? {
      expiry,
    };
    if ('unsaid' in worth) this.events.unsaid?.(topic, worth.unsaid);
    else this.events.message(topic, payload, worth.expiry);
  }

  #look(): void {
    if (this.#isClosed) return;
    const { connected, client } = this.node;
    if (!connected) {
      this.#lose();
      return;
    }
    if (this.#isOpen || !client) return;
    this.#isOpen = true;
    this.#enter(client);
    // A round trip of small packets takes many times as long with Nagle's algorithm.
    client.stream?.setNoDelay?.(true);
    const topics = Object.fromEntries(this.filters.map((filter) => [filter, { qos: 1, rap: true }]));
    const subscribedAt = performance.now();
    // Also what MQTT.js has subscribed to before, since what is retained is to be seen again.
    client.subscribe({ ...topics, resubscribe: true }, { qos: 1 }, (error) =>
      this.#guard(() => {
        if (!this.#isOpen || this.#client !== client) return;
        if (error) this.events.refused(`the broker refuses a subscription: ${wordsOf(error)}`);
        else this.events.connected(subscribedAt);
      }),
    );
  }

  #enter(client: Client): void {
    if (this.#client === client) return;
    this.#leave();
    this.#client = client;
    client.on('message', this.#onMessage);
    const counts = listening.get(client) ?? new Map<string, number>();
    listening.set(client, counts);
    for (const filter of this.filters) counts.set(filter, (counts.get(filter) ?? 0) + 1);
  }

  #leave(): void {
    const client = this.#client;
    if (!client) return;
    this.#client = undefined;
    client.removeListener('message', this.#onMessage);
    const counts = listening.get(client);
    const left = this.filters.filter((filter) => {
      const count = (counts?.get(filter) ?? 1) - 1;
      counts?.set(filter, count);
      return count <= 0;
    });
    if (left.length > 0 && this.node.connected) this.#guard(() => client.unsubscribe(left));
  }

  #lose(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const { client, id } of [...this.#unacknowledged]) client.removeOutgoingMessage(id);
    this.#unacknowledged.clear();
    this.events.disconnected();
  }

  /** What goes wrong in a callback must not end Node-RED. */
  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.events.warn(describeFault(fault));
    }
  }
}
