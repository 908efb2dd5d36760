import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { said } from '../catalogue/saying';
import { sleep } from '../time/sleep';
import type { Abort } from './abort';
import type { Endpoint } from './address';
import { Connection, type Opener } from './connection';
import type { Environment, UndiciModule } from './environment';
import { wordsOf } from './errors';
import { Failure } from './failure';
import type { DeviceSettings } from './settings';
import { openSocket, prepareTls, type Target } from './socket';

/** This machine has no file or port left for a socket. */
const scarce = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS']);
const scarcePauseMs = 50;

/** For plain connections. */
const noTls = {};

/** Opens connections to one device. Keys, certificates and undici are loaded for the first one. */
export class Connector implements Opener {
  #target: Target | undefined;
  #undici: UndiciModule | undefined;

  constructor(
    readonly settings: DeviceSettings,
    readonly endpoint: Endpoint,
    private readonly environment: Environment,
  ) {}

  /** The device is known by a name, which may lead to another address later. */
  get isNamed(): boolean {
    return isIP(this.endpoint.host) === 0;
  }

  /** Whether what another one opened may be used as well: both trust the same. */
  isLike(other: Opener): boolean {
    if (other === this) return true;
    const [own, others] = [this, other].map(({ endpoint: { origin, secure }, settings }) => ({
      origin,
      ...(secure && { trust: trustOf(settings), tls: settings.tls ?? noTls }),
    }));
    return isDeepStrictEqual(own, others);
  }

  /**
   * @param timeoutMs limit for connecting, TLS included
   * @throws Failure; no socket is left then
   */
  async open(timeoutMs: number, abort: Abort): Promise<Connection> {
    this.#undici ??= this.#loadUndici();
    this.#target ??= this.#prepareTarget();
    const until = this.environment.monotonic() + timeoutMs;
    for (;;) {
      const leftMs = Math.max(0, until - this.environment.monotonic());
      try {
        const socket = await openSocket(this.#target, leftMs, abort);
        return new Connection(this, this.#undici, this.endpoint.origin, socket, this.environment);
      } catch (error) {
        // What this machine is short of now (files, ports) it may have in a moment: that says nothing of the device.
        if (!scarce.has(Failure.of(error).code) || leftMs < scarcePauseMs) throw error;
        await sleep(scarcePauseMs, abort);
      }
    }
  }

  #prepareTarget(): Target {
    const { tls = noTls } = this.settings;
    const { endpoint } = this;
    return { endpoint, trust: trustOf(this.settings), tls: endpoint.secure ? prepareTls(tls) : noTls };
  }

  #loadUndici(): UndiciModule {
    try {
      return this.environment.loadUndici();
    } catch (error) {
      const values = { version: process.version, words: wordsOf(error) };
      throw Failure.own('UNUSABLE', said('undiciMissing', values));
    }
  }
}

function trustOf({ certificate, fingerprint = '' }: DeviceSettings): Target['trust'] {
  return { certificate, fingerprint };
}
