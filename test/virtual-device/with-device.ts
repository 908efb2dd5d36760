import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { ownHost } from '../fixtures/listening';
import { type Reply, type SignOptions, sendJson } from '../fixtures/signer';
import { ManualClock } from './manual-clock';

/** 28 Sep 2020 17:07:18 GMT, a Monday. */
export const NOON = 1601312838000;

/** A device on a clock that stands still, and a way to speak to it that knows that clock. */
export interface DeviceFixture {
  readonly device: VirtualDevice;
  readonly clock: ManualClock;
  readonly address: string;
  /** `tell('POST /api/controls/door/lock', { doorid: 'local' })` */
  sendJson(route: string, body?: unknown, options?: Omit<SignOptions, 'body'>): Promise<Reply>;
}

/** Runs a test on a device of its own, and checks afterwards that it left no timer. */
export async function withDevice(
  options: VirtualDeviceOptions,
  test: (fixture: DeviceFixture) => Promise<void>,
): Promise<void> {
  const clock = new ManualClock(NOON);
  const device = new VirtualDevice({ clock, host: ownHost, ...options });
  const address = await device.start();
  try {
    await test({
      device,
      clock,
      address,
      sendJson: (route, body, options) => sendJson(address, route, body, { now: clock.now(), ...options }),
    });
  } finally {
    await device.stop();
  }
  if (clock.pending > 0) throw new Error(`${clock.pending} timers are left`);
}
