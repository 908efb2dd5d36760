import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Parameters } from '../../catalogue/operation';
import { Access } from '../../client/access';
import type { Answer, CallOptions, WireRequest } from '../../client/call';
import { DeviceClient, realEnvironment, type Turn } from '../../client/client';
import { DeviceError } from '../../client/errors';
import {
  type Abort,
  type DeviceOutput,
  type QueueEntry,
  type QueueOptions,
  QueueUser,
  queuePolicyFor,
} from '../../client/queue/entry';
import { Queue } from '../../client/queue/queue';
import { beatClock, type Clock } from '../../time/clock';
import { firmwareIn, type Identity, modelIn } from './identity';
import { about, type DeviceRecord, DeviceStatus, Recognition } from './record';
import {
  type DeviceProperties,
  isOn,
  listOf,
  notConfigured,
  queueLimitOf,
  unsetVariableIn,
  urlOf,
  withoutLogin,
} from './settings';
import { type DeviceObserver, type DeviceSurroundings, settingsIn } from './surroundings';

/** The accesses in use, by the address of their device. */
const known = new Map<string, Access>();

/**
 * Returns the queue and the two connections of the device at an address; all names of the device share them.
 * @param where the address; undefined where it is not known: then the access is not shared
 */
function enterAccess(where: string | undefined, user: QueueUser): Access {
  const access = (where !== undefined && known.get(where)) || new Access(new Queue(realEnvironment));
  if (where !== undefined) known.set(where, access);
  access.enter(user);
  return access;
}

/** Ends the use of an access by one name. The last name closes it. */
async function leaveAccess(where: string | undefined, user: QueueUser, access: Access): Promise<void> {
  await access.leave(user);
  if (where !== undefined && !access.isUsed && known.get(where) === access) known.delete(where);
}

/** How long a device may take to say who it is; without an answer messages are sent unchecked. */
const identityLimitMs = 2_000;

/**
 * One name of a device as all of Node-RED's nodes share it: one client, one idea of who it is. The order of calls and
 * the connections are those of its address, which may have other names. The client is made by the first message, so a
 * deploy costs nothing and a wrong setting is said by each message.
 */
export class Device {
  readonly name: string;
  readonly tags: readonly string[];
  readonly letDeviceDecide: boolean;
  /** The address for receipts: as it is configured, and as a URL once the client has read it. */
  address: string;
  /** A deploy has closed it. */
  isClosed = false;
  /** Only what reads is sent. */
  readonly dryRun: boolean;
  /** The environment variable that keeps it from being used, since it is not set. */
  readonly unsetVariable: string | undefined;
  readonly timing: Clock;
  /** Told what happens; what watches the device sets it. */
  observer: DeviceObserver | undefined;
  private client: Promise<DeviceClient> | undefined;
  private opened: DeviceClient | undefined;
  private asking: Promise<void> | undefined;
  private question: QueueEntry | undefined;
  private entered: Access | undefined;
  private readonly user: QueueUser;
  private foundUrl: string | false | undefined;
  readonly recognition: Recognition;
  readonly sight = new DeviceStatus();

  /** @param fault what keeps it from being used, beside what its own settings say */
  constructor(
    readonly id: string,
    private readonly properties: DeviceProperties,
    private readonly password: unknown,
    private readonly surroundings: DeviceSurroundings,
    private readonly fault?: () => Text | undefined,
  ) {
    this.name = String(properties.name || id);
    this.tags = listOf(properties.tags);
    this.letDeviceDecide = isOn(properties.letDeviceDecide);
    this.dryRun = isOn(properties.dryRun);
    this.unsetVariable = unsetVariableIn(properties, password);
    this.address = withoutLogin(String(properties.address ?? ''));
    const model = modelIn(properties.model);
    const firmware = firmwareIn(properties.firmware);
    this.recognition = new Recognition({ ...(model && { model }), ...(firmware && { firmware }) });
    this.timing = surroundings.timing ?? beatClock;
    this.user = new QueueUser(queueLimitOf(properties.queueLimit));
  }

  /** Where it is, however its address is written; undefined where that cannot be told. */
  get url(): string | undefined {
    this.foundUrl ??= (!this.properties.virtual && urlOf(this.properties.address)) || false;
    return this.foundUrl || undefined;
  }

  /** Those with the same one are one device; undefined where that cannot be told. */
  get where(): string | undefined {
    return this.properties.virtual ? `virtual ${this.properties.virtual}` : this.url;
  }

  /** Takes over what was seen of the device that a deploy has replaced by this one, if it is at the same place. */
  goOnFrom({ where, password, properties, sight }: Device): void {
    if (where === undefined || where !== this.where) return;
    this.sight.goOnFrom(sight, password === this.password && properties.auth === this.properties.auth);
  }

  /** There is a password for it. */
  get hasPassword(): boolean {
    return Boolean(this.password);
  }

  /** The question who it is, which those who read it share, is on the wire. */
  get isAskedOnWire(): boolean {
    return this.asking !== undefined && this.question?.abort.onWire === true;
  }

  /** The identity of the device, as far as known without a request; the value that a user set wins. */
  get knownIdentity(): Identity {
    return this.recognition.known;
  }

  /** What is known of the device now, for nodes that want to show or check it. */
  get record(): DeviceRecord {
    return this.sight.record(this.knownIdentity, this.opened);
  }

  /**
   * Takes the next place in the order of the device's calls.
   * @param abort ends the call
   * @param options how much later it may be sent; absent: as long as is usual for the operation
   * @param since when its message came, of the monotonic clock
   */
  take(of: Operation, abort: Abort, options?: QueueOptions, since = realEnvironment.monotonic()): QueueEntry {
    return this.access.queue.take(queuePolicyFor(of, since, options), abort, this.user);
  }

  /** Keeps a place whose parameters, and with them its subject, take a while to be read. */
  announce(place: QueueEntry, family: string): void {
    this.access.queue.announce(place, family);
  }

  /** Gives up a place that was announced. */
  withdraw(place: QueueEntry): void {
    this.access.queue.withdraw(place);
  }

  /**
   * Waits for a place's turn and does all of the work in it.
   * @throws DeviceError with one of the contract's codes
   */
  during<T>(
    place: QueueEntry,
    subject: DeviceOutput | undefined,
    operationName: string,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (this.opened) return this.opened.during(place, subject, operationName, work);
    // Another name may be open already: what comes later by that one must not pass.
    if (subject && !place.list) this.announce(place, subject.family);
    return this.open().then(
      (client) => client.during(place, subject, operationName, work),
      (error) => {
        this.withdraw(place);
        throw error;
      },
    );
  }

  /**
   * Does one operation at a place of its own, unless `abort` ends it.
   * @throws DeviceError with one of the contract's codes
   */
  call(of: Operation, parameters: Parameters, options: CallOptions = {}, abort?: Abort): Promise<Answer> {
    if (this.opened) return this.opened.call(of, parameters, options, abort);
    return this.open().then((client) => client.call(of, parameters, options, abort));
  }

  /** Says one line in the log. */
  warn(line: string): void {
    this.surroundings.environment.warn?.(line);
  }

  /**
   * Who the device is; asked once (2.4), and again after the first success that follows a loss of contact.
   * Waits behind all messages. Never rejects.
   */
  async identity(): Promise<Identity> {
    if (this.recognition.isOpen) {
      this.asking ??= this.askAsReading().finally(() => {
        this.asking = undefined;
      });
      await this.asking;
    }
    return this.knownIdentity;
  }

  /** The same for a message whose turn it is. No answer within 2 s leaves the device unknown. Never rejects. */
  async identityIn(turn: Turn): Promise<Identity> {
    if (this.recognition.isOpen) {
      await this.recognition.ask(() => turn.call(about, {}, { withinMs: identityLimitMs }));
    }
    return this.knownIdentity;
  }

  /**
   * The same for what cannot be sent without the model: asked as long as that would be tried.
   * @throws why it could not be asked
   */
  async identityNeededIn(turn: Turn, options: CallOptions): Promise<Identity> {
    if (this.recognition.isOpen || this.knownIdentity.model === undefined) {
      const failure = await this.recognition.ask(() => turn.call(about, {}, options));
      if (failure !== undefined) throw failure;
    }
    return this.knownIdentity;
  }

  /** Told when the device may be another one after its next success: it restarts, or gets new firmware. */
  noteChange(): void {
    this.recognition.noteChange();
  }

  /** Makes the next question who the device is a request again. */
  forgetIdentity(): void {
    this.recognition.forget();
  }

  /** Aborts what is under way and what waits, and leaves no socket. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.opened = undefined;
    this.observer?.close();
    const client = await this.client?.catch(() => undefined);
    await client?.close();
    if (this.entered) await leaveAccess(this.where, this.user, this.entered);
  }

  /** Found by the first call, since a deploy may make thousands of devices; a closed one shares nothing any more. */
  private get access(): Access {
    this.entered ??= enterAccess(this.isClosed ? undefined : this.where, this.user);
    return this.entered;
  }

  private async askAsReading(): Promise<void> {
    const claim = { rank: 'reading', ends: false, expiresAt: Number.POSITIVE_INFINITY } as const;
    const place = this.access.queue.take(claim, undefined, this.user);
    this.question = place;
    try {
      await this.during(place, undefined, 'info/about', (turn) => this.identityIn(turn));
    } catch {
      // Closed, or not usable as it is set up: whoever sends something is told.
    }
  }

  private noteAnswer(request: WireRequest, { body }: Answer): void {
    this.sight.noteSuccess(this.timing.now(), request, body);
    this.recognition.noteSuccess(`${request.method} ${request.path}`, body);
    if (request.method !== 'GET') this.observer?.noteAction();
  }

  private noteFailure(request: WireRequest, error: DeviceError): void {
    if (this.sight.noteFailure(error, this.timing.now())) this.recognition.noteChange();
    if (request.method !== 'GET' && error.outcome === 'unknown') this.observer?.noteAction();
  }

  private open(): Promise<DeviceClient> {
    if (this.isClosed) {
      const reason = localized('closedByDeploy', { device: this.name });
      return Promise.reject(new DeviceError('ABORTED', localized('nothingSent', { reason })));
    }
    this.client ??= this.makeClient().then(
      (client) => {
        // Only now, so that nobody passes those who wait for it.
        if (!this.isClosed) this.opened = client;
        return client;
      },
      (error: unknown) => {
        this.client = undefined;
        throw error;
      },
    );
    return this.client;
  }

  private async makeClient(): Promise<DeviceClient> {
    const fault = this.fault?.();
    if (fault !== undefined) throw notConfigured(this.name, fault);
    const settings = await settingsIn(this.surroundings, this.name, this.properties, this.password);
    const { access, user } = this;
    const client = new DeviceClient(settings, this.surroundings.environment, {
      access,
      user,
      onAnswer: (request, answer) => this.noteAnswer(request, answer),
      onFailure: (request, error) => this.noteFailure(request, error),
    });
    this.address = client.address;
    return client;
  }
}
