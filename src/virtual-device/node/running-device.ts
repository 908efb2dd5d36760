import { VirtualDevice } from '../device';
import { type CallEntry, callLineOf } from '../log/call-entry';
import { type LogEntry, lineOf } from '../log/entry';
import { type Access, type NodeOptions, readNodeOptions } from './node-options';

export interface RunningDevice {
  readonly device: VirtualDevice;
  readonly endpoint: Access;
  /** The options of the node as one text, to detect changes. */
  readonly optionsText: string;
  /** Ends the log of the device in the log of its node. */
  leave(): void;
}

export interface DeviceHost {
  readonly id: string;
  log(words: string): void;
  debug(words: string): void;
  panel(): string | undefined;
}

/**
 * The devices of config nodes. A full deploy closes each node and creates the node again; a device with
 * unchanged options continues its activity. Each device keeps its port if possible, since browsers might have
 * its address open.
 */
export class RunningDevices {
  readonly #waiting = new Map<string, RunningDevice>();
  readonly #ports = new Map<string, number>();

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
      // Stops the device with the old options before the new device starts, since both can have the same
      // port.
      if (isAsBefore) waiting.leave();
      else if (waiting) await stop(waiting);
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
      if (waiting) await stop(waiting);
      throw error;
    }
  }

  /**
   * Detaches a closed node from its device. A removed node stops the device; otherwise the device waits for
   * the new node, and writes to the log of the closed node until then.
   */
  async close(id: string, running: RunningDevice, isRemoved: boolean): Promise<void> {
    if (isRemoved) return stop(running);
    await running.device.pause();
    this.#waiting.set(id, running);
  }

  /** Stops all waiting devices: the deploy did not create their nodes again. */
  stopOthers(): void {
    for (const waiting of this.#waiting.values()) stop(waiting).catch(() => undefined);
    this.#waiting.clear();
  }

  /**
   * Listens on the configured port. Without a configured port, listens on the previous port, or on a free
   * port if the previous port is taken.
   */
  async #listen(host: DeviceHost, device: VirtualDevice, options: NodeOptions): Promise<string> {
    const before = this.#ports.get(host.id);
    const address =
      options.port !== 0 || before === undefined
        ? await device.start()
        : await device.start(before).catch((error: Error) => {
            host.log(`${error.message}: its address has changed`);
            return device.start();
          });
    this.#ports.set(host.id, Number(new URL(address).port || 80));
    return address;
  }

  #take(id: string): RunningDevice | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** Stops a device, and logs how its calls end. */
async function stop({ device, leave }: RunningDevice): Promise<void> {
  try {
    await device.stop();
  } finally {
    leave();
  }
}

/** Successful reads are logged at the level debug, since a node can send several reads per second. */
function follow(device: VirtualDevice, host: DeviceHost): () => void {
  const log = (words: string) => host.log(words);
  const asked = (entry: LogEntry) => {
    const isRead = entry.method === 'GET' && entry.outcome === 'done';
    if (isRead) host.debug(lineOf(entry));
    else log(lineOf(entry));
  };
  const called = (entry: CallEntry) => log(callLineOf(entry));
  device.on('request', asked).on('call', called).on('happened', log);
  return () => void device.off('request', asked).off('call', called).off('happened', log);
}
