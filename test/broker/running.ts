import type { FakeDevice } from '../fixtures/fake-device';
import type { NodeConfig } from '../fixtures/flow';
import type { RedProcess } from '../fixtures/red-process';
import { Site } from '../fixtures/site';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';
import { siteProcess, startCentre } from './sites';

/** A broker, somebody who listens to it, a centre in the process of the test, and sites in processes of their own. */
export class Running {
  readonly processes: RedProcess[] = [];
  readonly world = new Site();
  /** Where sites find the broker. */
  port: number;

  private constructor(
    readonly mosquitto: Mosquitto,
    readonly listener: Listener,
  ) {
    this.port = mosquitto.port;
  }

  static async start(): Promise<Running> {
    const mosquitto = await Mosquitto.start();
    return new Running(mosquitto, await Listener.open(mosquitto.port));
  }

  /** An instance of the site. */
  async site(
    devices: FakeDevice | readonly FakeDevice[],
    more: Record<string, unknown> = {},
    ...nodes: NodeConfig[]
  ): Promise<RedProcess> {
    const process = await siteProcess(this.port, devices, more, ...nodes);
    this.processes.push(process);
    await process.start();
    return process;
  }

  centre(...nodes: NodeConfig[]): Promise<void> {
    return startCentre(this.world, this.mosquitto.port, ...nodes);
  }

  async end(): Promise<void> {
    for (const process of this.processes) await process.clear();
    await this.world.end();
    await this.listener.end();
    await this.mosquitto.end();
  }
}
