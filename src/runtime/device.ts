import type { ConnectionOptions } from 'node:tls';
import { info } from '../catalogue/info';
import type { Operation } from '../catalogue/operation';
import {
  type Answer,
  type CallOptions,
  DeviceClient,
  type Environment,
  type SendOptions,
  type WireRequest,
} from '../client/client';
import { DeviceError } from '../client/errors';
import { type DeviceRecord, Sight } from './device-record';
import {
  type DeviceProperties,
  type Endpoint,
  isOn,
  settingsOf,
  tagsOf,
  virtualSettingsOf,
  withoutLogin,
} from './device-settings';
import { firmwareIn, type Identity, identityIn, modelIn } from './identity';
import { Readings } from './watch/readings';
import { realTiming, type Timing } from './watch/timing';

/** How long a message waits for the device to say who it is; without an answer it is sent unchecked. */
const identityLimitMs = 2000;

const [about] = info.operations;

/** What a device needs from Node-RED; looked up when it is needed, since other nodes come and go. */
export interface DeviceSurroundings {
  /** TLS options of the `tls-config` that the device names, or undefined when there is none such. */
  tlsOptions(): ConnectionOptions | undefined;
  /** The endpoint of the virtual device that the device names, or undefined when there is none such. */
  endpoint(): Promise<Endpoint> | undefined;
  readonly environment: Partial<Environment>;
  /** When readings happen; the machine's own time, unless a test has another. */
  readonly timing?: Timing;
}

/**
 * One device as all of Node-RED's nodes share it: one client, one idea of who it is. The client is made by
 * the first message, so a deploy costs nothing and a wrong setting is said by each message.
 */
export class Device {
  readonly name: string;
  readonly tags: readonly string[];
  readonly letDeviceDecide: boolean;
  private client: Promise<DeviceClient> | undefined;
  private shownAddress: string;
  private readonly byHand: Identity;
  private read: Identity = {};
  private reading: Promise<Identity> | undefined;
  /** Whether the device need not be asked who it is before a message. */
  private settled = false;
  /** Whether the next success is a reason to ask again: contact was lost, or never there. */
  private askAfterSuccess = false;
  private closed = false;
  private opened: DeviceClient | undefined;
  private readonly sight = new Sight();
  private readonly timing: Timing;
  /** What nodes watch. */
  readonly readings: Readings;

  constructor(
    readonly id: string,
    private readonly properties: DeviceProperties,
    private readonly password: unknown,
    private readonly surroundings: DeviceSurroundings,
  ) {
    this.name = String(properties.name || id);
    this.tags = tagsOf(properties.tags);
    this.letDeviceDecide = isOn(properties.letDeviceDecide);
    this.shownAddress = withoutLogin(String(properties.address ?? ''));
    const model = modelIn(properties.model);
    const firmware = firmwareIn(properties.firmware);
    this.byHand = { ...(model && { model }), ...(firmware && { firmware }) };
    this.timing = surroundings.timing ?? realTiming;
    this.readings = new Readings(this, this.timing);
  }

  /** The address for receipts: as it is configured, and as a URL once the client has read it. */
  get address(): string {
    return this.shownAddress;
  }

  /** Who the device is, as far as known without asking; what a person set wins. */
  get knownIdentity(): Identity {
    return { ...this.read, ...this.byHand };
  }

  /** What is known of the device now, for nodes that want to show or check it. */
  get record(): DeviceRecord {
    return this.sight.record(this.knownIdentity, this.opened);
  }

  /**
   * Says what keeps the device from being used, or nothing.
   * @throws DeviceError NOT_CONFIGURED
   */
  async check(): Promise<void> {
    await this.open();
  }

  /**
   * Does one operation.
   * @throws DeviceError with one of the contract's codes
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Answer> {
    const isRead = operation.route.startsWith('GET ');
    return this.exchange((client) => client.call(operation, parameters, options), isRead);
  }

  /** Says one line in the log. */
  warn(line: string): void {
    this.surroundings.environment.warn?.(line);
  }

  /**
   * Sends a request made by hand, signed like any other.
   * @throws DeviceError with one of the contract's codes
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    return this.exchange((client) => client.send(request, options), request.method === 'GET');
  }

  private async exchange(ask: (client: DeviceClient) => Promise<Answer>, isRead: boolean): Promise<Answer> {
    const client = this.opened ?? (await this.open());
    try {
      const answer = await ask(client);
      this.noteSuccess();
      if (!isRead) this.readings.noteAction();
      return answer;
    } catch (error) {
      this.noteFailure(error);
      if (!isRead && error instanceof DeviceError && error.outcome === 'unknown') this.readings.noteAction();
      throw error;
    }
  }

  /**
   * Who the device is; asked once (2.4), and again after the first success that follows a loss of contact.
   * No usable answer, or none within 2 s, leaves it unknown. Never rejects.
   */
  async identity(): Promise<Identity> {
    const complete = this.byHand.model !== undefined && this.byHand.firmware !== undefined;
    if (!complete && (this.reading || !this.settled)) {
      this.reading ??= this.readIdentity().finally(() => {
        this.reading = undefined;
      });
      this.read = await this.reading;
    }
    return this.knownIdentity;
  }

  /** Told when the device may be another one after its next success: it restarts, or gets new firmware. */
  noteChange(): void {
    this.askAfterSuccess = true;
  }

  /** Makes the next question who the device is a request again. */
  forgetIdentity(): void {
    this.settled = false;
  }

  /** Aborts what is under way and leaves no socket. */
  async close(): Promise<void> {
    this.closed = true;
    this.opened = undefined;
    this.readings.close();
    const client = await this.client?.catch(() => undefined);
    await client?.close();
  }

  private async readIdentity(): Promise<Identity> {
    this.settled = true;
    try {
      const { body } = await this.call(
        about,
        {},
        { deed: 'info/about', signal: AbortSignal.timeout(identityLimitMs) },
      );
      return identityIn(body);
    } catch (error) {
      // A refusal is an answer: older firmware has no `about`. Anything else may be over by the next success.
      this.askAfterSuccess = !(error instanceof DeviceError && error.code === 'REFUSED');
      return {};
    }
  }

  private noteSuccess(): void {
    this.sight.noteSuccess(this.timing.now());
    if (!this.askAfterSuccess) return;
    this.askAfterSuccess = false;
    this.settled = false;
  }

  private noteFailure(error: unknown): void {
    if (this.sight.noteFailure(error)) this.askAfterSuccess = true;
  }

  private open(): Promise<DeviceClient> {
    if (this.closed) {
      return Promise.reject(
        new DeviceError('ABORTED', `Device "${this.name}" was closed by a deploy; nothing was sent`),
      );
    }
    this.client ??= this.makeClient().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async makeClient(): Promise<DeviceClient> {
    const settings = this.properties.virtual
      ? virtualSettingsOf(this.name, this.properties, await this.virtualEndpoint())
      : settingsOf(this.name, this.properties, this.password, this.tlsOptions());
    const client = new DeviceClient(settings, this.surroundings.environment);
    this.shownAddress = client.address;
    if (!this.closed) this.opened = client;
    return client;
  }

  private tlsOptions(): ConnectionOptions {
    return this.surroundings.tlsOptions() ?? this.isMissing('TLS configuration');
  }

  private async virtualEndpoint(): Promise<Endpoint> {
    const endpoint = this.surroundings.endpoint() ?? this.isMissing('virtual device');
    return endpoint.catch((cause: Error) => {
      const sentence = `Device "${this.name}" cannot be reached: its virtual device does not run: ${cause.message}`;
      throw new DeviceError('UNREACHABLE', sentence, { cause });
    });
  }

  private isMissing(what: string): never {
    const sentence = `Device "${this.name}" cannot be used: the ${what} it names does not exist or is disabled`;
    throw new DeviceError('NOT_CONFIGURED', sentence);
  }
}
