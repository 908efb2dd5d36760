import { localized, type Text } from '../../catalogue/localized-message';
import type { Operation, Parameters } from '../../catalogue/operation';
import { nothingSent } from '../../catalogue/sentence';
import type { Answer, CallOptions, WireRequest } from '../../client/call';
import { Access, DeviceClient, realEnvironment, type Turn } from '../../client/client';
import { DeviceError, type ErrorCode } from '../../client/errors';
import {
  type Abort,
  type DeviceOutput,
  familyOf,
  type QueueEntry,
  type QueueOptions,
  QueueUser,
  queuePolicyFor,
} from '../../client/queue/entry';
import { Queue } from '../../client/queue/queue';
import { isOn, listOf } from '../../kernel/property';
import { type Clock, gridClock } from '../../kernel/time/clock';
import { firmwareIn, type Identity, modelIn } from './identity';
import { about, type DeviceRecord, DeviceStatus, Recognition } from './record';
import {
  type DeviceProperties,
  notConfigured,
  queueLimitOf,
  type Reaching,
  unsetVariableIn,
  urlOf,
  withoutLogin,
} from './settings';
import { type DeviceObserver, type DeviceSurroundings, settingsIn } from './surroundings';

const known = new Map<string, Access>();

/**
 * Returns the access to a location: one queue and two connections, which all names of the device share.
 * @param where if undefined, the access is not shared
 */
function enterAccess(where: string | undefined, user: QueueUser): Access {
  const access = (where !== undefined && known.get(where)) || new Access(new Queue(realEnvironment));
  if (where !== undefined) known.set(where, access);
  access.enter(user);
  return access;
}

async function leaveAccess(where: string | undefined, user: QueueUser, access: Access): Promise<void> {
  await access.leave(user);
  if (where !== undefined && !access.isUsed && known.get(where) === access) known.delete(where);
}

/**
 * Time limit for reading the identity, in milliseconds. If the device does not answer in time, messages that
 * do not need the model are sent without a check of the identity.
 */
const identityLimitMs = 2_000;

/** Errors of a device that has answered, even if the answer could not be read. */
const hasAnswered: ReadonlySet<ErrorCode> = new Set(['REFUSED', 'AUTHENTICATION', 'PROTOCOL']);

/**
 * `answered`: the device has answered a request, also with a refusal. `unreachable`: a request has found no
 * connection. A request without an answer is neither: a device can hang at one request and answer the others.
 * `restarting`: the device restarts after a request of Node-RED, or might.
 */
export type Contact = 'answered' | 'unreachable' | 'restarting';

/** @param where location of the device */
type ContactListener = (where: string, contact: Contact) => void;

const contactListeners = new Set<ContactListener>();

/** @returns a function that removes the listener */
export function onContact(listener: ContactListener): () => void {
  contactListeners.add(listener);
  return () => contactListeners.delete(listener);
}

function emitContact(where: string | undefined, contact: Contact): void {
  if (where !== undefined) for (const listener of contactListeners) listener(where, contact);
}

/**
 * A device under one name, with its own client. All names with the same location share the queue and the
 * connections. The first call creates the client, so that a deploy creates no clients.
 */
export class Device {
  readonly name: string;
  readonly tags: readonly string[];
  readonly letDeviceDecide: boolean;
  /**
   * The address for receipts: the user's text without a login, or a URL after the client has parsed the
   * address.
   */
  address: string;
  isClosed = false;
  readonly dryRun: boolean;
  /**
   * Placeholder, such as `${NAME}`, of an environment variable that the device needs but that is not set;
   * undefined if there is none.
   */
  readonly unsetVariable: string | undefined;
  readonly timing: Clock;
  observer: DeviceObserver | undefined;
  private client: Promise<DeviceClient> | undefined;
  private opened: DeviceClient | undefined;
  private asking: Promise<void> | undefined;
  private entered: Access | undefined;
  private readonly user: QueueUser;
  /** Undefined for a virtual device, and for an invalid address. */
  readonly url: string | undefined;
  /**
   * The location of the device: all names with the same location lead to the same device. Undefined if the
   * address is invalid.
   */
  readonly where: string | undefined;
  readonly recognition: Recognition;
  readonly status = new DeviceStatus();

  /**
   * @param fault returns an error outside of the device's own settings, such as a duplicate row; undefined if
   * there is none
   */
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
    this.url = properties.virtual ? undefined : urlOf(properties.address);
    this.where = properties.virtual ? `virtual ${properties.virtual}` : this.url;
    const model = modelIn(properties.model);
    const firmware = firmwareIn(properties.firmware);
    this.recognition = new Recognition({ ...(model && { model }), ...(firmware && { firmware }) });
    this.timing = surroundings.timing ?? gridClock;
    this.user = new QueueUser(queueLimitOf(properties.queueLimit));
  }

  goOnFrom({ where, password, properties, status }: Device): void {
    if (where === undefined || where !== this.where) return;
    this.status.goOnFrom(status, password === this.password && properties.auth === this.properties.auth);
  }

  get hasPassword(): boolean {
    return Boolean(this.password);
  }

  /** The deployed settings and the password, for a test from a dialog. The password must not leave the runtime. */
  get reaching(): Reaching {
    return { properties: this.properties, password: String(this.password ?? '') };
  }

  isPassword(password: string): boolean {
    return this.hasPassword && String(this.password) === password;
  }

  /** Set for a row of a group with a password of its own. */
  get ownPassword(): true | undefined {
    return this.properties.ownPassword === true ? true : undefined;
  }

  get knownIdentity(): Identity {
    return this.recognition.known;
  }

  /**
   * Time at which the certificate of the device expires, in epoch milliseconds; undefined before the first
   * connection, and for connections without TLS.
   */
  get certificateEndsAt(): number | undefined {
    return this.opened?.certificateEndsAt;
  }

  get record(): DeviceRecord {
    return this.status.record(this.knownIdentity, this.opened);
  }

  /**
   * Adds an entry to the queue of the device.
   * @param options expiry and kind of the call; default: as set by the operation
   * @param since arrival of the message, in milliseconds on the monotonic clock
   * @param isAnnounced whether the parameters are still being read, as for `announce`
   */
  take(
    of: Operation,
    abort: Abort,
    options?: QueueOptions,
    since = realEnvironment.monotonic(),
    isAnnounced = false,
  ): QueueEntry {
    const { queue } = this.access;
    const entry = queue.take(queuePolicyFor(of, since, options), abort, this.user, since);
    const family = isAnnounced ? familyOf(of) : undefined;
    if (family !== undefined) queue.announce(entry, family);
    return entry;
  }

  announce(entry: QueueEntry, of: Operation): void {
    const family = familyOf(of);
    if (family !== undefined) this.access.queue.announce(entry, family);
  }

  endIfSuperseded(entry: QueueEntry, deviceOutput: DeviceOutput): void {
    this.access.queue.endIfSuperseded(entry, deviceOutput);
  }

  withdraw(entry: QueueEntry): void {
    this.access.queue.withdraw(entry);
  }

  /** Gives up the turn of an entry until `ready` resolves, and waits for the next turn. */
  pauseUntil<T>(entry: QueueEntry, ready: Promise<T>): Promise<T> {
    return this.access.queue.pauseUntil(entry, ready);
  }

  during<T>(
    entry: QueueEntry,
    deviceOutput: DeviceOutput | undefined,
    operationName: string,
    task: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    if (this.opened) return this.opened.during(entry, deviceOutput, operationName, task);
    // Keeps the order: a client of another name of the device might be ready earlier, and its later calls
    // must not overtake this call.
    if (deviceOutput && !entry.list) this.access.queue.announce(entry, deviceOutput.family);
    return this.open().then(
      (client) => client.during(entry, deviceOutput, operationName, task),
      (error) => {
        this.withdraw(entry);
        throw error;
      },
    );
  }

  call(of: Operation, parameters: Parameters, options: CallOptions = {}, abort?: Abort): Promise<Answer> {
    if (this.opened) return this.opened.call(of, parameters, options, abort);
    return this.open().then((client) => client.call(of, parameters, options, abort));
  }

  warn(line: string): void {
    this.surroundings.environment.warn?.(line);
  }

  /**
   * Returns the identity. While the identity is open (`Recognition.isOpen`), reads the identity from the
   * device first. Messages overtake the read in the queue. Never rejects.
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

  /**
   * Returns the identity for a message that has its turn. If the device does not answer within
   * `identityLimitMs`, only the values that the user has set are known. Never rejects.
   */
  async identityIn(turn: Turn): Promise<Identity> {
    if (this.recognition.isOpen) {
      await this.recognition.ask(() => turn.call(about, {}, { withinMs: identityLimitMs }));
    }
    return this.knownIdentity;
  }

  /**
   * Returns the identity for a message that cannot be sent without the model. The read is retried like the
   * message itself.
   * @throws the error of the request
   */
  async identityNeededIn(turn: Turn, options: CallOptions): Promise<Identity> {
    if (this.recognition.isOpen || this.knownIdentity.model === undefined) {
      const failure = await this.recognition.ask(() => turn.call(about, {}, options));
      if (failure !== undefined) throw failure;
    }
    return this.knownIdentity;
  }

  /** Called when a request has restarted the device, or might have. Another device might answer next. */
  recordRestart(): void {
    this.recognition.recordChange();
    emitContact(this.where, 'restarting');
  }

  /** Makes the identity open (`Recognition.isOpen`) again, unless the user has set model and firmware. */
  forgetIdentity(): void {
    this.recognition.forget();
  }

  /** Closes the sockets if no other name uses the device. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.opened = undefined;
    this.observer?.close();
    const client = await this.client?.catch(() => undefined);
    await client?.close();
    if (this.entered) await leaveAccess(this.where, this.user, this.entered);
  }

  /**
   * The access to the device's location, which all devices with this location share. Created on first use,
   * since a deploy can create thousands of devices. A closed device gets an access of its own.
   */
  private get access(): Access {
    this.entered ??= enterAccess(this.isClosed ? undefined : this.where, this.user);
    return this.entered;
  }

  private async askAsReading(): Promise<void> {
    const policy = { rank: 'reading', isStop: false, expiresAt: Number.POSITIVE_INFINITY } as const;
    const entry = this.access.queue.take(policy, undefined, this.user);
    try {
      await this.during(entry, undefined, 'info/about', (turn) => this.identityIn(turn));
    } catch {
      // A caller that sends a message gets the same error.
    }
  }

  private recordAnswer(request: WireRequest, { body }: Answer): void {
    this.status.recordSuccess(this.timing.now(), request, body);
    this.recognition.recordSuccess(`${request.method} ${request.path}`, body);
    if (request.method !== 'GET') this.observer?.recordAction();
    emitContact(this.where, 'answered');
  }

  private recordFailure(request: WireRequest, error: DeviceError): void {
    const isLost = this.status.recordFailure(error, this.timing.now());
    if (isLost) this.recognition.recordChange();
    if (hasAnswered.has(error.code)) emitContact(this.where, 'answered');
    else if (error.code === 'UNREACHABLE') emitContact(this.where, 'unreachable');
    if (request.method !== 'GET' && error.outcome === 'unknown') this.observer?.recordAction();
  }

  private open(): Promise<DeviceClient> {
    if (this.isClosed) {
      const reason = nothingSent(localized('closedByDeploy'));
      return Promise.reject(new DeviceError('ABORTED', reason, { place: `"${this.name}"` }));
    }
    this.client ??= this.makeClient().then(
      (client) => {
        // Sets `opened` here, so that the calls that wait for the client are sent before later calls.
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
      onAnswer: (request, answer) => this.recordAnswer(request, answer),
      onFailure: (request, error) => this.recordFailure(request, error),
    });
    this.address = client.address;
    return client;
  }
}
