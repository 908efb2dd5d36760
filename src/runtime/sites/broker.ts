import type { Node, NodeAPI } from 'node-red';
import { describeFault, wordsOf } from '../../client/errors';
import { PropertyFinding } from '../../kernel/property';
import type { Publish } from '../../sites/actions';
import { type IgnoreReason, Signing } from '../../sites/signing';
import { kinds, readTopic, type Topic, topicOf } from '../../sites/wire';
import { RateLimitedLog } from './logs';

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
  message(topic: Topic, payload: Buffer, expiry: number | undefined): void;
  /** Called for a message that the signature check rejects, for example because it is unsigned, old or repeated. */
  ignored?(topic: Topic): void;
  /** Called when the broker rejects a subscription, so that messages might not arrive. */
  refused(words: string): void;
  warn(sentence: string): void;
}

/**
 * The MQTT user property that contains the signature of a message. A broker or bridge that passes on the
 * expiry must also pass on this property.
 */
const signatureProperty = 'algo-signature';

/** Minimum time between two lines of the log about ignored messages, in milliseconds. */
const ignoredPauseMs = 60_000;

const ignoreReasons: Record<Exclude<IgnoreReason, 'twice'>, string> = {
  unsigned: 'it is not signed',
  wrong: 'its signature does not match this key, its topic or its content',
  old: 'it expired more than an hour ago by the clock of this machine',
  ahead: 'the clock of the signer is more than an hour ahead of the clock of this machine',
  repeated: 'it was received before',
};

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
  readonly #filters: readonly string[];
  readonly #signing: Signing | undefined;
  readonly #ignored = new RateLimitedLog((line) => this.events.warn(line), 1, ignoredPauseMs);
  readonly #onMessage: MessageListener = (topic, payload, packet) =>
    this.#guard(() => this.#hear(topic, payload, packet));

  /**
   * @param scope the prefix of all topics, and the site whose messages are received; `+` for every site
   * @param keyOf returns the key of a site; absent if messages are not signed
   */
  constructor(
    private readonly node: BrokerNode,
    id: string,
    private readonly scope: { readonly prefix: string; readonly site: string },
    private readonly events: BrokerEvents,
    keyOf?: (site: string) => string | undefined,
  ) {
    const { prefix } = scope;
    const clock = { wall: () => Date.now(), monotonic: () => performance.now() };
    this.#signing = keyOf && new Signing({ prefix, keyOf, ...clock });
    this.#filters = kinds.map((kind) => topicOf(prefix, { site: scope.site, kind, id: '+' }));
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
    this.#ignored.close();
    this.#leave();
    this.node.deregister(this.#user, done, removed);
  }

  /**
   * Publishes a message, retained unless it is a heartbeat. Has no effect while disconnected. Retained messages are
   * sent with QoS 1, other messages with QoS 0.
   * @param message undefined to delete a retained message; `expiry` is in seconds
   * @param refused called with a sentence and the broker's reason if the broker rejects the message
   */
  publish(
    { site, kind, id }: Topic,
    { message, expiry }: Pick<Publish, 'message' | 'expiry'>,
    refused: (sentence: string, reason: string) => void,
  ): void {
    const topic = topicOf(this.scope.prefix, { site, kind, id });
    const retain = kind !== 'state';
    const client = this.#client;
    if (!client || !this.node.connected) return;
    const payload = message ? JSON.stringify(message) : '';
    const signature = message && this.#signing?.sign(topic, payload, expiry);
    const properties = {
      ...(expiry !== undefined && { messageExpiryInterval: expiry }),
      ...(signature && { userProperties: { [signatureProperty]: signature } }),
    };
    let sent: { readonly client: Client; readonly id: number } | undefined;
    const done = (error?: unknown) => {
      if (sent) this.#unacknowledged.delete(sent);
      const code = (error as { code?: unknown } | undefined)?.code;
      if (!error || typeof code !== 'number' || code < 128) return;
      const reason = wordsOf(error);
      this.#guard(() => refused(`the broker did not accept ${topic}: ${reason}`, reason));
    };
    client.publish(topic, payload, { qos: retain ? 1 : 0, retain, properties }, done);
    const sentId = client.getLastMessageId();
    if (!retain || client.outgoing?.[sentId]?.cb !== done) return;
    sent = { client, id: sentId };
    this.#unacknowledged.add(sent);
  }

  #hear(topic: string, payload: Buffer, { properties }: Packet): void {
    const read = readTopic(this.scope.prefix, topic);
    // The connection also receives the messages of other nodes.
    if (!read || (this.scope.site !== '+' && read.site !== this.scope.site)) return;
    const expiry = properties?.messageExpiryInterval;
    const signature = properties?.userProperties?.[signatureProperty];
    const check = this.#signing?.judge(topic, payload, expiry, signature) ?? { expiry };
    if (!('ignoreReason' in check)) this.events.message(read, payload, check.expiry);
    else if (check.ignoreReason !== 'twice') {
      const reason = ignoreReasons[check.ignoreReason];
      const shown = JSON.stringify(topic.slice(0, 300));
      this.#ignored.log(`a message was ignored: ${shown}: ${reason}`);
      this.events.ignored?.(read);
    }
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
    const topics = Object.fromEntries(this.#filters.map((filter) => [filter, { qos: 1, rap: true }]));
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
    for (const filter of this.#filters) counts.set(filter, (counts.get(filter) ?? 0) + 1);
  }

  #leave(): void {
    const client = this.#client;
    if (!client) return;
    this.#client = undefined;
    client.removeListener('message', this.#onMessage);
    const counts = listening.get(client);
    const left = this.#filters.filter((filter) => {
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
