import { said } from '../../catalogue/saying';
import { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import type { Abort, Place } from '../../client/queue/entry';
import { claimOf } from '../../client/queue/policy';
import { Deadline } from '../../time/deadline';
import type { Device } from '../device/device';
import { awaitSuccessor } from '../device/registry';
import { burst } from './burst';
import type { Dispatch } from './dispatch';
import type { Target } from './targets';

/** A deploy waits 15 s at most for a node to close; one that is not over by then is not going to be soon. */
const longestDeployMs = 30_000;

/**
 * Where a message waits at one target from its arrival on: at the device, or for the one that a deploy is going to
 * put in its place, in the same order.
 */
export class Arrival {
  #device: Device | undefined;
  #place: Place | undefined;
  #successor: Promise<void> | undefined;
  #isAnnounced = false;
  #isWithdrawn = false;

  constructor(
    private readonly dispatch: Dispatch,
    private readonly target: Target,
    private readonly abort: Abort,
  ) {
    burst.beginBefore(dispatch.operation);
    this.#device = target.device;
    if (!this.#device) return;
    if (!this.#device.isClosed) this.#takePlace(this.#device);
    else {
      this.#successor = this.#waitForSuccessor(this.#device);
      // Whoever asks for the device is told; until then nobody is.
      this.#successor.catch(() => {});
    }
  }

  /** Undefined where the target was not found. */
  get device(): Device | undefined {
    return this.#device;
  }

  /** Keeps the order while the parameters, and the subject with them, take a while to be read. */
  announce(): void {
    this.#isAnnounced = true;
    const { subject, inOrderOf } = this.dispatch.operation ?? {};
    const family = subject?.name ?? inOrderOf;
    if (this.#place && family && !this.abort.reason) this.#device?.announce(this.#place, family);
  }

  /**
   * @returns undefined when the device is there, else what to wait for
   * @throws Failure or DeviceError ABORTED, as a rejection
   */
  ready(): Promise<void> | undefined {
    return this.#successor;
  }

  /** @throws DeviceError when the target was not found, or what is asked is no operation of the node */
  get place(): Place {
    if (this.#place) return this.#place;
    throw this.target.error ?? this.dispatch.fault;
  }

  /** Gives the place up, if nobody has waited in it for its turn. */
  withdraw(): void {
    this.#isWithdrawn = true;
    if (this.#place) this.#device?.withdraw(this.#place);
  }

  #takePlace(device: Device): void {
    const { operation, wishes, since } = this.dispatch;
    if (!operation || this.#isWithdrawn) return;
    this.#place = device.take(operation, this.abort, wishes, since);
    if (this.#isAnnounced) this.announce();
  }

  /** A deploy has closed the device and is going to start another one in its place. */
  #waitForSuccessor(closed: Device): Promise<void> {
    return new Promise((resolve, reject) => {
      const { operation, wishes } = this.dispatch;
      // Only to be counted: no more may wait than at a device that is there.
      const counted = operation && closed.take(operation, this.abort, wishes);
      if (this.abort.reason) return reject(this.abort.reason);
      const release = () => counted && closed.withdraw(counted);
      const leftMs = operation ? claimOf(operation, 0, wishes).expiresAt : Number.POSITIVE_INFINITY;
      const why = said('closedByDeploy', { device: closed.name });
      const over =
        leftMs <= longestDeployMs ? Failure.own('EXPIRED', said('tooLate')) : Failure.own('ABORTED', why);
      const limit = new Deadline(() => this.abort.abort(over), Math.min(leftMs, longestDeployMs));
      const giveUp = awaitSuccessor(closed, (successor) => {
        limit.clear();
        release();
        this.abort.tell(undefined);
        if (!successor || this.target.isMeant?.(successor) === false) {
          const reason = said('takenOut', { device: closed.name });
          return reject(new DeviceError('ABORTED', said('nothingSent', { reason })));
        }
        this.#device = successor;
        this.#takePlace(successor);
        resolve();
      });
      this.abort.tell((reason) => {
        limit.clear();
        release();
        giveUp();
        reject(reason);
      });
    });
  }
}
