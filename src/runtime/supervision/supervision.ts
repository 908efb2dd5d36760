import { asDeviceError, DeviceError } from '../../client/errors';
import { type Clock, gridClock } from '../../kernel/time/clock';
import type { Device } from '../device/device';
import { foundAfterDeploy, GroupFollower } from '../device/group-follower';
import type { Targets } from '../device/targets';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { DeviceChecker } from './checker';
import {
  type Change,
  type StateCounts,
  type Supervised,
  SupervisionEngine,
  type SupervisionReport,
} from './engine';
import type { SupervisionSettings } from './expectations';
import type { CheckResult } from './finding';
import { metricsOf } from './metrics';

export interface SupervisionSink {
  change(change: Change): void;
  /** @param error the reason why the node has no devices; undefined if the node has devices */
  show(counts: StateCounts, error: DeviceError | undefined): void;
  fault(asked: string, error: DeviceError): void;
}

export class Supervision {
  readonly #engine: SupervisionEngine;
  readonly #follower = new GroupFollower<DeviceChecker>((asked, error) => this.sink.fault(asked, error));
  #maxParallel = 1;
  #unusable: DeviceError | undefined;
  #isFollowed = false;
  #isStopped = false;
  #cancelMaskTimer: (() => void) | undefined;

  constructor(
    private readonly find: () => Targets,
    private readonly settings: SupervisionSettings,
    private readonly sink: SupervisionSink,
    states: ConstructorParameters<typeof SupervisionEngine>[1],
    private readonly clock: Clock = gridClock,
  ) {
    this.#engine = new SupervisionEngine(settings, states);
  }

  follow(): void {
    if (this.#isStopped) return;
    const { list, maxParallel } = this.find();
    const devices = list.flatMap(({ device }) => device ?? []);
    this.#maxParallel = maxParallel;
    this.#unusable = devices.length === 0 ? list.find(({ error }) => error)?.error : undefined;
    const before = foundAfterDeploy(this.#engine.known);
    const now = this.clock.now();
    this.#engine.setDevices(devices.map(supervised), now, ({ id }) => before.get(id)?.id);
    this.#isFollowed = true;
    const { settings } = this;
    this.#follower.follow(list, (device, _before, index) => {
      const phaseMs = (settings.interval * (index + 1)) / devices.length;
      const onResult = (result: CheckResult) => this.#record(device, result);
      return new DeviceChecker(device, { settings, phaseMs, onResult }, this.clock);
    });
    this.#settle(this.#engine.endMasks(now));
  }

  async checkAll(): Promise<void> {
    this.#assertUsable();
    const limiter = new ConcurrencyLimiter(this.#maxParallel);
    await Promise.all(this.#follower.all.map((checker) => limiter.within(() => checker.check())));
    if (this.#isStopped)
      throw new DeviceError('ABORTED', 'the node was closed in the meantime', { place: 'supervision' });
  }

  report(): SupervisionReport {
    this.#assertUsable();
    const now = this.clock.now();
    this.#settle(this.#engine.endMasks(now));
    return this.#engine.report(now);
  }

  metrics(): string {
    this.#assertUsable();
    this.#settle(this.#engine.endMasks(this.clock.now()));
    return metricsOf(
      this.#engine.views().map((view) => {
        const device = this.#follower.get(view.id)?.device;
        return { ...view, record: device?.record, outcomes: device?.status.outcomes };
      }),
    );
  }

  /** @param until end of the mask, in epoch milliseconds */
  mask(targets: Targets, until: number): void {
    for (const id of this.#ownIn(targets)) this.#engine.mask(id, until);
    this.#settle([]);
  }

  unmask(targets: Targets): void {
    const now = this.clock.now();
    this.#settle(this.#ownIn(targets).flatMap((id) => this.#engine.unmask(id, now) ?? []));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelMaskTimer?.();
    this.#follower.stop();
  }

  #record({ id, address }: Device, result: CheckResult): void {
    if (this.#isStopped) return;
    const now = this.clock.now();
    this.#engine.setAddress(id, address);
    const ended = this.#engine.endMasks(now);
    const change = this.#engine.record(id, result, now);
    this.#settle(change ? [...ended, change] : ended);
  }

  #ownIn({ list }: Targets): string[] {
    this.#assertUsable();
    const failed = list.find(({ error }) => error)?.error;
    if (failed) throw failed;
    const ids = list.flatMap(({ device }) => (device && this.#engine.has(device.id) ? [device.id] : []));
    if (ids.length > 0) return ids;
    throw new DeviceError('NOT_CONFIGURED', 'msg.device names no device that this node supervises');
  }

  #assertUsable(): void {
    if (!this.#isFollowed) this.follow();
    if (this.#unusable) throw this.#unusable;
  }

  #settle(changes: readonly Change[]): void {
    for (const change of changes) this.#guard(() => this.sink.change(change));
    this.#guard(() => this.sink.show(this.#engine.counts(), this.#unusable));
    this.#cancelMaskTimer?.();
    this.#cancelMaskTimer = undefined;
    const end = this.#engine.nextMaskEnd;
    if (this.#isStopped || !Number.isFinite(end)) return;
    const ms = Math.max(0, end - this.clock.now());
    this.#cancelMaskTimer = this.clock.after(ms, () => this.#settle(this.#engine.endMasks(this.clock.now())));
  }

  /**
   * Runs the task and reports any exception: a message that Node-RED cannot pass on must not end the checks.
   */
  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.sink.fault('', asDeviceError(fault));
    }
  }
}

function supervised({ id, name, address, where }: Device): Supervised {
  return { id, name, address, where };
}
