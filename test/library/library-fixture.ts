import { type ClientOptions, DeviceClient, type DeviceSettings } from '../../src/library';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { ClientFixture } from '../fixtures/client-fixture';

/** What programs without types may hand over. */
export type UntypedCall = (operation: unknown, parameters?: unknown, options?: unknown) => Promise<unknown>;

/** Servers, virtual devices and the library's clients of one test, all closed by `clear`. */
export class LibraryFixture extends ClientFixture {
  readonly #devices: VirtualDevice[] = [];
  readonly #programs: DeviceClient[] = [];

  /** A client as programs make it. */
  program(settings: DeviceSettings, options?: ClientOptions): DeviceClient {
    const client = new DeviceClient(settings, options);
    this.#programs.push(client);
    return client;
  }

  /** A virtual device that listens; its password is `secret`. */
  async virtual(options: VirtualDeviceOptions): Promise<VirtualDevice> {
    const device = new VirtualDevice({ password: 'secret', ...options });
    this.#devices.push(device);
    await device.start();
    return device;
  }

  /** A door, and a client that knows nothing of it but address and password. */
  async door(options?: ClientOptions): Promise<{ device: VirtualDevice; client: DeviceClient }> {
    const device = await this.virtual({ model: '8063' });
    return { device, client: this.program({ address: device.address, password: 'secret' }, options) };
  }

  override async clear(): Promise<void> {
    await Promise.all(this.#programs.splice(0).map((client) => client.close()));
    await Promise.all([super.clear(), ...this.#devices.splice(0).map((device) => device.stop())]);
  }
}
