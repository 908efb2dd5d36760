import { once } from 'node:events';

/** MQTT.js as core's nodes have it. */
interface Client extends NodeJS.EventEmitter {
  publish(topic: string, payload: string, options: object, done: () => void): void;
  subscribe(topic: string, options: object, done: () => void): void;
  end(force: boolean, options: object, done: () => void): void;
}

const mqtt: { connect(url: string, options: object): Client } = require('mqtt');

/** Somebody else on the broker: sees everything, and says what a test wants. */
export class Listener {
  /** What is retained at the moment, by topic. */
  readonly retained = new Map<string, string>();
  readonly seen: { readonly topic: string; readonly payload: string }[] = [];

  private constructor(private readonly client: Client) {}

  static async open(port: number): Promise<Listener> {
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5, reconnectPeriod: 200 });
    const listener = new Listener(client);
    client.on('message', (topic: string, payload: Buffer, packet: { retain: boolean }) => {
      const text = payload.toString();
      listener.seen.push({ topic, payload: text });
      if (text === '') listener.retained.delete(topic);
      else if (packet.retain) listener.retained.set(topic, text);
      client.emit('seen');
    });
    await once(client, 'connect');
    await new Promise<void>((resolve) => client.subscribe('algo/#', { qos: 1, rap: true }, () => resolve()));
    return listener;
  }

  publish(topic: string, message: object | string, expiry?: number): Promise<void> {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    const properties = expiry === undefined ? {} : { messageExpiryInterval: expiry };
    return new Promise((resolve) =>
      this.client.publish(topic, payload, { qos: 1, retain: true, properties }, () => resolve()),
    );
  }

  /** Resolves when this holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.client, 'seen');
  }

  end(): Promise<void> {
    return new Promise((resolve) => this.client.end(true, {}, resolve));
  }
}
