import type { Abort } from './abort';
import type { Endpoint } from './address';
import { Connection } from './connection';
import type { Environment, UndiciModule } from './environment';
import { Failure } from './failure';
import type { DeviceSettings } from './settings';
import { openSocket, prepareTls, type Target } from './socket';

/** Opens connections to one device. Keys, certificates and undici are loaded for the first one. */
export class Connector {
  #target: Target | undefined;
  #undici: UndiciModule | undefined;

  constructor(
    private readonly settings: DeviceSettings,
    private readonly endpoint: Endpoint,
    private readonly environment: Environment,
  ) {}

  /**
   * @param timeoutMs limit for connecting, TLS included
   * @throws Failure; no socket is left then
   */
  async open(timeoutMs: number, abort: Abort): Promise<Connection> {
    this.#undici ??= this.#loadUndici();
    this.#target ??= this.#prepareTarget();
    const socket = await openSocket(this.#target, timeoutMs, abort);
    return new Connection(this.#undici, this.endpoint.origin, socket, this.environment);
  }

  #prepareTarget(): Target {
    const { certificate, fingerprint = '', tls = {} } = this.settings;
    const { endpoint } = this;
    return { endpoint, trust: { certificate, fingerprint }, tls: endpoint.secure ? prepareTls(tls) : {} };
  }

  #loadUndici(): UndiciModule {
    try {
      return this.environment.loadUndici();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw Failure.own(
        'UNUSABLE',
        `undici cannot be loaded by Node ${process.version} (${reason}), install it again`,
      );
    }
  }
}
