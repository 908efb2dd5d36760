import type { Node, NodeAPI } from 'node-red';
import { describeFault, wordsOf } from '../../client/errors';
import { PropertyFinding } from '../../kernel/property';
import type { IgnoreReason, Signing } from '../../sites/signing';

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

export interface BrokerNode extends Node {
  readonly connected: boolean;
  readonly client?: Client;
  readonly options?: { readonly protocolVersion?: number; readonly clean?: boolean };
  register(user: object): void;
  deregister(user: object, done: () => void, removed: boolean): void;
}

interface BrokerEvents {
  /** Called on a new connection, before the subscription is sent and thus before any of its messages. */
  subscribing?(): void;
  /** Called when the broker has answered the subscription. Messages can arrive before. */
  connected(): void;
  disconnected(): void;
  message(topic: string, payload: Buffer, expiry: number | undefined): void;
  /**
   * Called for a message that the signature check rejects, for example because the message is unsigned, old
   * or repeated.
   */
  ignored?(topic: string, reason: IgnoreReason): void;
  /** Called when the broker rejects a subscription, so that messages might not arrive. */
  refused(words: string): void;
  warn(sentence: string): void;
}

/**
 * The MQTT user property that contains the signature of a message. A broker or bridge that passes on the
 * expiry must also pass on this property.
 */
const signatureProperty = 'algo-signature';

const listening = new WeakMap<Client, Map<string, number>>();

export function brokerNode(RED: NodeAPI, id: unknown): BrokerNode | PropertyFinding {
  const wrong = (reason: string) => new PropertyFinding('broker', reason);
  const node = id ? (RED.nodes.getNode(String(id)) as unknown as BrokerNode | null) : null;
  if (typeof node?.register !== 'function')
    return wrong('No MQTT broker is chosen: open the node and choose one');
  const name = node.name || node.id;
  if (node.options?.protocolVersion !== 5) {
    return wrong(`The broker "${name}" is not set to MQTT 5: open it and choose the protocol "MQTT V5"`);
  }
  if (node.options.clean === false) {
    return wrong(`The broker "${name}" keeps a session: open it and switch "Use clean start" on`);
  }
  return node;
}

/**
 * Unacknowledged messages of a lost connection are dropped: receivers would treat a late delivery as a new
 * message.
 */
export class Broker {
  #client: Client | undefined;
  #isOpen = false;
  #isClosed = false;
  readonly #unacknowledged = new Set<{ readonly client: Client; readonly id: number }>();
  readonly #user: object;
  readonly #onMessage: MessageListener = (topic, payload, packet) =>
    this.#guard(() => this.#hear(topic, payload, packet));

  constructor(
    private readonly node: BrokerNode,
    id: string,
    private readonly filters: readonly string[],
    private readonly events: BrokerEvents,
    private readonly signing?: Signing,
  ) {
    // Node-RED's broker node calls `status` of its users when the connection changes.
    this.#user = { id, status: () => this.#guard(() => this.#look()) };
  }

  open(): void {
    this.node.register(this.#user);
    this.#look();
  }

  /**
   * @param removed whether the node was removed from the flow, so that the broker node can close an unused
   * connection
   */
  close(removed: boolean, done: () => void): void {
    this.#isClosed = true;
    this.#leave();
    this.node.deregister(this.#user, done, removed);
  }

  /**
   * Publishes a message. Has no effect while disconnected.
   * @param message undefined to delete a retained message
   * @param options retained messages are sent with QoS 1, other messages with QoS 0; `expiry` is in seconds
   * @param refused called with the broker's reason if the broker rejects the message
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
    const check = this.signing?.judge(
      topic,
      payload,
      expiry,
      properties?.userProperties?.[signatureProperty],
    ) ?? {
      expiry,
    };
    if ('ignoreReason' in check) this.events.ignored?.(topic, check.ignoreReason);
    else this.events.message(topic, payload, check.expiry);
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
    // Switches off Nagle's algorithm, which would make a round trip of small packets many times longer.
    client.stream?.setNoDelay?.(true);
    const topics = Object.fromEntries(this.filters.map((filter) => [filter, { qos: 1, rap: true }]));
    this.events.subscribing?.();
    // Subscribes again even if MQTT.js has already subscribed, so that the broker repeats all retained
    // messages.
    client.subscribe({ ...topics, resubscribe: true }, { qos: 1 }, (error) =>
      this.#guard(() => {
        if (!this.#isOpen || this.#client !== client) return;
        if (error) this.events.refused(`the broker rejected a subscription: ${wordsOf(error)}`);
        else this.events.connected();
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

  /** Runs the task and logs any exception, since an uncaught exception would end Node-RED. */
  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.events.warn(describeFault(fault));
    }
  }
}
