import { once } from 'node:events';
import Ajv from 'ajv/dist/2019';
import { patienceMs } from '../fixtures/waiting';
import { discovery } from './home-assistant-schema';

/** MQTT.js as core's nodes have it. */
interface Client extends NodeJS.EventEmitter {
  publish(topic: string, payload: string, options: object, done: () => void): void;
  subscribe(topics: string | string[], options: object, done?: () => void): void;
  end(force: boolean, options: object, done: () => void): void;
}

const mqtt: { connect(url: string, options: object): Client } = require('mqtt');

interface Entity {
  readonly platform: string;
  readonly unique_id: string;
  readonly state_topic?: string;
  readonly command_topic?: string;
  readonly json_attributes_topic?: string;
  readonly availability?: readonly { readonly topic: string }[];
  readonly options?: readonly string[];
  readonly payload_on?: string;
  readonly payload_off?: string;
}

interface Discovery extends Record<string, unknown> {
  readonly components: Readonly<Record<string, Entity>>;
}

/** Home Assistant copies them from the device into each component without a key of its own. */
const inherited = [
  ...['availability', 'availability_mode', 'availability_template', 'availability_topic', 'command_topic'],
  ...['state_topic', 'payload_available', 'payload_not_available', 'qos', 'encoding'],
  'message_expiry_interval',
];

const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(discovery);

/** The problems of a description: of the message, and of each component after the merge. */
export function problemsOf(message: Discovery): string[] {
  const problems = isValid(message)
    ? []
    : (isValid.errors ?? []).map(({ instancePath, message: fault }) => `${instancePath} ${fault}`);
  for (const entity of entitiesOf(message))
    if ('availability' in entity && 'availability_topic' in entity)
      problems.push(`${entity.unique_id} has its availability twice`);
  return problems;
}

function entitiesOf(message: Discovery): Entity[] {
  const common = Object.fromEntries(Object.entries(message).filter(([key]) => inherited.includes(key)));
  return Object.values(message.components ?? {}).map((component) => ({ ...common, ...component }));
}

/** The states that an entity of a platform knows. A text `None` means that the state is unknown. */
function isState({ platform, options = [], payload_on, payload_off }: Entity, value: string): boolean {
  const locks = ['LOCKED', 'LOCKING', 'UNLOCKED', 'UNLOCKING', 'OPEN', 'OPENING', 'JAMMED'];
  const known = { siren: ['ON', 'OFF'], switch: ['ON', 'OFF'], lock: locks, sensor: options }[platform];
  return (known ?? [payload_on ?? 'ON', payload_off ?? 'OFF', 'None']).includes(value);
}

/** A Home Assistant with the MQTT integration: it takes descriptions, subscribes, and sends its default payloads. */
export class FakeHomeAssistant {
  readonly entities = new Map<string, Entity>();
  /** All that a real one would refuse, or silently ignore. */
  readonly problems: string[] = [];
  /** Each description that was not empty, in the order of their arrival. */
  readonly descriptions: { readonly topic: string; readonly text: string }[] = [];
  readonly #heard: { readonly topic: string; readonly text: string }[] = [];
  readonly #ofDevices = new Map<string, readonly string[]>();
  readonly #values = new Map<string, string>();

  private constructor(
    private readonly client: Client,
    private readonly port: number,
  ) {}

  static async open(port: number): Promise<FakeHomeAssistant> {
    const will = { topic: 'homeassistant/status', payload: 'offline', qos: 0, retain: false };
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 100, will });
    const fake = new FakeHomeAssistant(client, port);
    client.on('message', (topic: string, payload: Buffer) => fake.#receive(topic, payload.toString()));
    // The birth message of each connection. Mosquitto answers in order, so Home Assistant is subscribed by then.
    client.on('connect', () => {
      client.subscribe('homeassistant/device/+/config', { qos: 1 }, () =>
        fake.publish('homeassistant/status', 'online'),
      );
    });
    await once(client, 'connect');
    return fake;
  }

  publish(topic: string, payload: string, options: object = { qos: 1, retain: false }): Promise<void> {
    return new Promise((resolve) => this.client.publish(topic, payload, options, resolve));
  }

  /** Sends a command as a user gives it. */
  command(id: string, payload: string | object, options?: object): Promise<void> {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return this.publish(this.entities.get(id)?.command_topic ?? `no topic of ${id}`, text, options);
  }

  /** Resolves when this holds. */
  async until(holds: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    while (!holds())
      await once(this.client, 'told', { signal }).catch(() => {
        throw new Error(`it never came true: ${holds}; ${JSON.stringify([...this.#values])}`);
      });
  }

  state(id: string): string | undefined {
    return this.#values.get(this.entities.get(id)?.state_topic ?? '');
  }

  /** All states that an entity has had, oldest first. */
  states(id: string): string[] {
    const topic = this.entities.get(id)?.state_topic;
    return this.#heard.flatMap((one) => (one.topic === topic ? [one.text] : []));
  }

  attributes(id: string): Record<string, unknown> {
    return JSON.parse(this.#values.get(this.entities.get(id)?.json_attributes_topic ?? '') ?? '{}');
  }

  isAvailable(id: string): boolean {
    const { availability = [] } = this.entities.get(id) ?? {};
    return this.entities.has(id) && availability.every(({ topic }) => this.#values.get(topic) === 'online');
  }

  /** All that the broker retains, as topic and payload. */
  async retained(): Promise<string[]> {
    const found: string[] = [];
    const end = 'the/end';
    const client = mqtt.connect(`mqtt://127.0.0.1:${this.port}`, {});
    const ended = new Promise<void>((resolve) =>
      client.on('message', (topic: string, payload: Buffer, { retain }: { retain: boolean }) => {
        if (topic === end) resolve();
        else if (retain) found.push(`${topic} ${payload}`);
      }),
    );
    client.subscribe(['#'], { qos: 1 }, () => client.publish(end, '', { qos: 1 }, () => {}));
    await ended;
    client.end(true, {}, () => {});
    return found.sort();
  }

  end(): Promise<void> {
    return new Promise((resolve) => this.client.end(true, {}, resolve));
  }

  #receive(topic: string, text: string): void {
    if (topic.startsWith('homeassistant/device/')) this.#describe(topic, text);
    else {
      this.#values.set(topic, text);
      this.#heard.push({ topic, text });
    }
    for (const entity of this.entities.values())
      if (entity.state_topic === topic && text !== '' && !isState(entity, text))
        this.problems.push(`${entity.unique_id} has no state ${text}`);
    this.client.emit('told');
  }

  #describe(topic: string, text: string): void {
    for (const id of this.#ofDevices.get(topic) ?? []) this.entities.delete(id);
    this.#ofDevices.delete(topic);
    if (text === '') return;
    this.descriptions.push({ topic, text });
    const message: Discovery = JSON.parse(text);
    const problems = [...(/^[\w-]+$/.test(topic.split('/')[2] ?? '') ? [] : [topic]), ...problemsOf(message)];
    this.problems.push(...problems);
    if (problems.length > 0) return;
    const entities = entitiesOf(message);
    this.#ofDevices.set(
      topic,
      entities.map(({ unique_id }) => unique_id),
    );
    for (const entity of entities) this.entities.set(entity.unique_id, entity);
    const topics = entities.flatMap(({ state_topic, json_attributes_topic, availability = [] }) =>
      [state_topic, json_attributes_topic, ...availability.map((one) => one.topic)].filter(
        (one) => one !== undefined,
      ),
    );
    this.client.subscribe([...new Set(topics)], { qos: 1 });
  }
}
