import { VirtualDevice } from '../device';
import { type LogEntry, lineOf } from '../log/entry';
import { type Access, type NodeOptions, readNodeOptions } from './node-options';

/** A device that a config node keeps running. */
export interface RunningDevice {
  readonly device: VirtualDevice;
  /** Where it listens and how to sign. */
  readonly endpoint: Access;
  /** The options of the node, as one text. */
  readonly optionsText: string;
  /** The node has to do with it no longer. */
  leave(): void;
}

/** The part of its node that a device needs. */
export interface DeviceHost {
  readonly id: string;
  log(words: string): void;
  /** For what nobody reads who is not looking for something. */
  debug(words: string): void;
  /** The URL of its panel, where there is one. */
  panel(): string | undefined;
}

interface Waiting {
  readonly device: VirtualDevice;
  readonly optionsText: string;
  readonly timer: NodeJS.Timeout;
}

/** A deploy takes no longer, and who ends Node-RED waits for nothing. */
const maxWaitMs = 60_000;

/**
 * The devices of config nodes. A full deploy closes each node and makes it again: a device of which nothing was changed
 * waits meanwhile, and goes on with what it was doing. One of which something was changed restarts. Each of them keeps
 * its port, since people have its address open.
 */
export class RunningDevices {
  readonly #waiting = new Map<string, Waiting>();
  /** Where each of them listened last. */
  readonly #ports = new Map<string, number>();

  /**
   * Starts the device of a config node, or lets it go on, and logs what it is asked and what it does by itself.
   * Rejects with a sentence for a person when it cannot be started as it is configured.
   */
  async start(
    host: DeviceHost,
    config: Readonly<Record<string, unknown>>,
    credentials: { readonly password?: unknown } | undefined,
  ): Promise<RunningDevice> {
    const waiting = this.#take(host.id);
    try {
      const options = readNodeOptions(config, credentials);
      const optionsText = JSON.stringify(options);
      const isAsBefore = waiting?.optionsText === optionsText;
      // Another one may want its port.
      if (!isAsBefore) await waiting?.device.stop();
      const device = isAsBefore
        ? waiting.device
        : new VirtualDevice({ ...options, panel: () => host.panel() });
      const leave = follow(device, host);
      const address = await this.#listen(host, device, options);
      host.log(`virtual ${device.model} (firmware ${device.firmware}) listens on ${address}`);
      return {
        device,
        optionsText,
        leave,
        endpoint: { address, auth: options.auth, password: options.password },
      };
    } catch (error) {
      await waiting?.device.stop();
      throw error;
    }
  }

  /** Its node is closed: for good, or by a deploy that makes it again. */
  async close(id: string, { device, optionsText, leave }: RunningDevice, isRemoved: boolean): Promise<void> {
    leave();
    if (isRemoved) return device.stop();
    await device.pause();
    const timer = setTimeout(() => this.#stop(id), maxWaitMs).unref();
    this.#waiting.set(id, { device, optionsText, timer });
  }

  /** A deploy is over: whose node did not come back does not come back. */
  stopOthers(): void {
    for (const id of [...this.#waiting.keys()]) this.#stop(id);
  }

  /** Listens where its options say, else where it did before, unless somebody else does so now. */
  async #listen(host: DeviceHost, device: VirtualDevice, options: NodeOptions): Promise<string> {
    const before = this.#ports.get(host.id);
    const address =
      options.port !== 0 || before === undefined
        ? await device.start()
        : await device.start(before).catch((error: Error) => {
            host.log(`${error.message}: its address is another one than before`);
            return device.start();
          });
    this.#ports.set(host.id, Number(new URL(address).port || 80));
    return address;
  }

  #stop(id: string): void {
    this.#take(id)
      ?.device.stop()
      .catch(() => undefined);
  }

  #take(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    this.#waiting.delete(id);
    return waiting;
  }
}

/**
 * Logs what a device is asked and does; returns what ends that. A node that watches reads several times a second: what
 * was only read is for whoever looks for it.
 */
function follow(device: VirtualDevice, host: DeviceHost): () => void {
  const log = (words: string) => host.log(words);
  const asked = (entry: LogEntry) => {
    const isRead = entry.method === 'GET' && entry.outcome === 'done';
    if (isRead) host.debug(lineOf(entry));
    else log(lineOf(entry));
  };
  device.on('request', asked).on('happened', log);
  return () => void device.off('request', asked).off('happened', log);
}
