import { VirtualDevice } from '../../src/virtual-device/device';
import type { VirtualDeviceOptions } from '../../src/virtual-device/device-options';
import { ask, type NodeConfig, type Outcome, startFlow, stopFlow } from '../fixtures/flow';
import { ownHost } from '../fixtures/listening';

/** Two bells of a school. */
export const lesson = {
  name: 'Lesson',
  time: '08:00',
  days: 'mon-fri',
  audio: 'bell-na.wav',
  from: '2030-09-02',
};
export const lunch = {
  name: 'Lunch',
  time: '12:00',
  days: 'mon,wed',
  audio: 'chime.wav',
  from: '2030-09-02',
};

/** A message's payload, whatever the operation makes of it. */
export type Answer = Record<string, unknown>;

/** A virtual 8301 and a scheduler node that takes everything from the message. */
export class School {
  private constructor(
    readonly device: VirtualDevice,
    readonly url: string,
  ) {}

  /**
   * @param more further properties of the node
   * @param options of the device
   */
  static async open(more: Record<string, unknown> = {}, options: VirtualDeviceOptions = {}): Promise<School> {
    const device = new VirtualDevice({ firmware: '5.7', auth: 'none', host: ownHost, ...options });
    const address = await device.start();
    await startFlow(School.flow(address, device.model, more));
    return new School(device, address);
  }

  private static flow(address: string, model: string, more: Record<string, unknown>): NodeConfig[] {
    return [
      { id: 'device', type: 'algo-device', name: 'Bells', address, auth: 'none', model, firmware: '5.7' },
      {
        id: 'scheduler',
        type: 'algo-scheduler',
        target: 'device',
        device: 'device',
        operation: 'msg',
        parametersType: 'msg',
        parameters: 'payload',
        ...more,
      },
    ];
  }

  ask(operation: string, payload: unknown = {}): Promise<Outcome> {
    return ask('scheduler', { operation, payload });
  }

  /** The payload of what went on; what went wrong is thrown. */
  async answer(operation: string, payload: unknown = {}): Promise<Answer> {
    const { sent, caught } = await this.ask(operation, payload);
    const [message] = sent;
    if (!message || caught.length > 0) throw new Error(caught[0]?.error?.message ?? 'nothing went on');
    return message.payload as Answer;
  }

  /** The bodies of the requests that changed the schedule. */
  get writes(): Answer[] {
    return this.device.log
      .filter(({ method, path }) => method === 'POST' && path === '/api/schedules')
      .map(({ parameters }) => parameters as Answer);
  }

  /** Names of what rings, day by day, in their order. */
  async calendar(from: string, days: number): Promise<Record<string, string[]>> {
    const { events } = await this.answer('range', { events: from, days });
    return Object.fromEntries(
      Object.entries(events as Record<string, { name: string; start_time: string; skipped: number }[]>).map(
        ([date, list]) => [
          date,
          list.map(({ name, start_time, skipped }) => `${start_time} ${name}${skipped ? ' (skipped)' : ''}`),
        ],
      ),
    );
  }

  async close(): Promise<void> {
    await stopFlow();
    await this.device.stop();
  }
}
