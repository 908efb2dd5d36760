import type { Node, NodeAPI, NodeMessage, NodeStatus } from 'node-red';
import { joinMessages, localized } from '../../catalogue/localized-message';
import { memoizeTranslate } from '../../catalogue/memoize-translate';
import { asDeviceError, DeviceError } from '../../client/errors';
import { choice, isEmpty, orThrow } from '../../kernel/property';
import type { Device } from '../device/device';
import { foundAfterDeploy, GroupFollower } from '../device/group-follower';
import { type DeviceGroup, deviceById, groupById, type Member } from '../device/registry';
import type { Open } from '../lazy';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import { invalid } from '../message/invalid';
import { MessageNode, type Send } from '../message/message-node';
import { errorStatus, type Translate } from '../message/status';
import { ConsoleEvents, consoleEventsSource } from './console-events';
import { readInterval, readWatch, type WatchProperties, type WatchSettings } from './properties';
import type { Source } from './reading';
import { RelayInput, relayInputSource } from './relay-input';
import { Status, statusSource } from './status';
import { pausedStatus, type Reach, statusOf, statusOfGroup } from './status-words';
import {
  type ConnectionPayload,
  type Content,
  type Reporter,
  type Sink,
  Watch,
  type WatchState,
} from './watch';

interface WatchKind {
  /** Default interval in seconds. */
  readonly interval: number;
  sourceOf(settings: WatchSettings): Source;
  makeReporter(settings: WatchSettings): Reporter;
}

const watchKinds = {
  status: {
    interval: 10,
    sourceOf: () => statusSource,
    makeReporter: ({ fields: watched, ignore: ignored, counters, report, initial }) =>
      new Status({ watched, ignored, counters, report, initial }),
  },
  'relay-input': {
    interval: 1,
    sourceOf: ({ input }) => relayInputSource(input),
    makeReporter: ({ input, edge, debounce: debounceMs, initial }) =>
      new RelayInput({ input, edge, debounceMs, initial }),
  },
  'console-events': {
    interval: 1,
    sourceOf: () => consoleEventsSource,
    makeReporter: ({ initial }) => new ConsoleEvents({ initial }),
  },
} satisfies Readonly<Record<string, WatchKind>>;

interface WatchMessage extends NodeMessage {
  operation?: unknown;
  interval?: unknown;
  device?: unknown;
  initial?: unknown;
}

type Outgoing = (NodeMessage | NodeMessage[] | null)[];

export function watchNode(RED: NodeAPI, resource: keyof typeof watchKinds): Open<WatchProperties> {
  const kind = watchKinds[resource];
  const translate = memoizeTranslate(RED._);
  const known: KnownDevices = new Map();
  return (node, definition) => void new WatchNode(RED, node, { kind, translate, known }, definition);
}

/**
 * The devices of each node with their last states, by the id of the node. With these states, a deploy neither reports
 * an old state as new nor loses a change.
 */
type KnownDevices = Map<string, readonly (Pick<Device, 'id' | 'where'> & { readonly reporter: Reporter })[]>;

interface Surroundings {
  readonly kind: WatchKind;
  readonly translate: Translate;
  readonly known: KnownDevices;
}

const readOperation = choice(['read', 'pause', 'resume'], { empty: 'read' });

/** The targets of a node: its device, or the members of its group. */
type Followed = Pick<DeviceGroup, 'name' | 'members' | 'maxParallel'>;

/** A node that watches a device or the members of a group. It follows the group over deploys. */
class WatchNode extends MessageNode<WatchMessage, Outgoing> {
  readonly #follower = new GroupFollower<Watch>((asked, error) => this.#report(asked, error));
  readonly #isGroup: boolean;
  readonly #settings: WatchSettings | undefined;
  /** The error because of which nothing is read; of a group, until a deploy corrects it. */
  #error: DeviceError | undefined;
  #members: readonly Member[] | undefined;
  #intervalMs = 0;
  #isPaused = false;
  #shown = '';

  constructor(
    RED: NodeAPI,
    node: Node,
    private readonly surroundings: Surroundings,
    private readonly properties: WatchProperties,
  ) {
    super(RED, node);
    this.#isGroup = properties.target === 'group';
    this.#settings = this.#begin();
    if (!this.#settings) return;
    this.#intervalMs = this.#settings.interval;
    if (this.#isGroup) this.followDeploys(() => this.#follow());
    else this.#follow();
  }

  protected async run(message: WatchMessage, send: Send<Outgoing>): Promise<DeviceError | undefined> {
    if (this.#error && !this.#settings) throw this.#error;
    const operation = orThrow(readOperation(message.operation, 'msg.operation'), invalid);
    if (!isEmpty(message.interval)) this.#setInterval(readInterval(message.interval));
    if (operation === 'pause') this.#setPaused(true);
    else if (operation === 'resume') this.#setPaused(false);
    else {
      // `initial` marks a first reading. A message from another watching node can contain the mark, so the mark
      // is removed.
      delete message.initial;
      return this.#isGroup ? this.#readAll(message, send) : this.#readOne(message, send);
    }
    return undefined;
  }

  /** The status shows the device, and no error of a message. */
  protected override showError(): void {}

  protected stop(isDeleted: boolean): void {
    this.#follower.stop();
    if (isDeleted) this.surroundings.known.delete(this.node.id);
  }

  #begin(): WatchSettings | undefined {
    const { properties, surroundings } = this;
    try {
      const settings = readWatch(properties, surroundings.kind.interval);
      this.#find();
      return settings;
    } catch (fault) {
      this.#error = asDeviceError(fault);
      this.node.error(this.#error.message);
      this.#show(errorStatus(this.RED._, this.#error));
      return undefined;
    }
  }

  /** @throws DeviceError NOT_CONFIGURED if the device or the group does not exist */
  #find(): Followed {
    const { device, group } = this.properties;
    if (this.#isGroup) return chosen('Group', group, groupById);
    const found = chosen('Device', device, deviceById);
    return { name: found.name, members: [{ device: found }], maxParallel: 1 };
  }

  /** Updates the watches to the current devices of the target. The error of a member is reported once. */
  #follow(): void {
    const { kind, known } = this.surroundings;
    const settings = this.#settings;
    const members = this.#findMembers();
    if (!settings || members === this.#members) return;
    const knownBefore = foundAfterDeploy(known.get(this.node.id) ?? []);
    const source = kind.sourceOf(settings);
    this.#follower.follow(members, (device, before) => {
      const { adaptive, misses } = settings;
      const options = { source, intervalMs: this.#intervalMs, adaptive, misses };
      const reporter = kind.makeReporter(settings);
      const last = knownBefore.get(device.id)?.reporter;
      if (last) reporter.goOnWith(last);
      return new Watch(device, reporter, options, this.#sink, before?.connection, this.#isPaused);
    });
    const watched = this.#follower.all.map(({ device: { id, where }, reporter }) => ({
      id,
      where,
      reporter,
    }));
    known.set(this.node.id, watched);
    this.#members = members;
    this.#showGroup();
  }

  #findMembers(): readonly Member[] {
    this.#error = undefined;
    try {
      const { name, members } = this.#find();
      if (members.length > 0) return members;
      const words = joinMessages(['the group has no members', 'nothing is read']);
      throw new DeviceError('NOT_CONFIGURED', words, { place: `"${name}"` });
    } catch (error) {
      this.#error = asDeviceError(error);
      return [{ asked: '', error: this.#error }];
    }
  }

  /** The interval applies until the next deploy of the node. */
  #setInterval(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    for (const watch of this.#follower.all) watch.setInterval(intervalMs);
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    for (const watch of this.#follower.all) {
      if (isPaused) watch.pause();
      else watch.resume();
    }
    this.#showGroup();
  }

  async #readOne(message: WatchMessage, send: Send<Outgoing>): Promise<undefined> {
    const [watch] = this.#follower.all;
    if (watch) send([Object.assign(message, namedAs(watch.device.name), await watch.read()), null]);
  }

  /**
   * Reads each member now, even during a pause, and sends one message for each member that was read.
   * @returns the error of the members that were not read
   */
  async #readAll(message: WatchMessage, send: Send<Outgoing>): Promise<DeviceError | undefined> {
    if (!this.#members) this.#follow();
    if (this.#error) throw this.#error;
    // Node-RED copies all messages except the first, so the payload, which can be large, is left out.
    const { payload: _, ...rest } = message;
    const limiter = new ConcurrencyLimiter(this.#find().maxParallel);
    const asked = this.#follower.all;
    const failed = this.#follower.faults.map((error) => ({ name: '', error }));
    const settled = await Promise.allSettled(
      asked.map((watch) => limiter.within(() => this.#readMember(watch))),
    );
    const messages = settled.flatMap((one, index): NodeMessage[] => {
      const name = asked[index]?.device.name ?? '';
      if (one.status === 'fulfilled') return [{ ...rest, ...namedAs(name), ...one.value }];
      failed.push({ name, error: asDeviceError(one.reason) });
      return [];
    });
    if (messages.length > 0) send([messages, null]);
    const [first, ...more] = failed;
    return first && errorOf(first, more);
  }

  async #readMember(watch: Watch): Promise<Content> {
    // A watch that was stopped in the meantime would never answer.
    if (this.#follower.get(watch.device.id) === watch && !this.isClosing) return watch.read();
    const place = `"${watch.device.name}"`;
    throw new DeviceError('ABORTED', joinMessages([localized('takenOut'), 'not read']), { place });
  }

  readonly #sink: Sink = {
    changes: (device, messages) =>
      this.node.send([messages.map((content): NodeMessage => ({ ...namedAs(device), ...content }))]),
    connection: (payload) => {
      const { reachable, total } = this.#reach;
      const own = this.#isGroup ? { ...payload, reachable, total } : payload;
      this.node.send([null, { ...namedAs(payload.device), payload: own satisfies ConnectionPayload }]);
    },
    unsupported: (device, error) => this.#report(device, error),
    show: (state: WatchState) => {
      if (!this.#isGroup) this.#show(statusOf(this.surroundings.translate, state));
    },
    turned: () => this.#showGroup(),
  };

  #report(device: string, error: DeviceError): void {
    this.node.error(error.message, { ...namedAs(device), payload: null } as NodeMessage);
  }

  get #reach(): Reach {
    const answers = this.#follower.all.map((watch) => watch.answers);
    return {
      reachable: answers.filter((one) => one === true).length,
      total: this.#follower.size,
      offline: answers.filter((one) => one === false).length + this.#follower.faults.length,
    };
  }

  #showGroup(): void {
    const { translate } = this.surroundings;
    if (!this.#isGroup) return;
    if (this.#error) this.#show(errorStatus(translate, this.#error));
    else this.#show(this.#isPaused ? pausedStatus(translate) : statusOfGroup(translate, this.#reach));
  }

  /** Most readings do not change the status, and setting an equal status would cost more than the reading. */
  #show(status: NodeStatus): void {
    const shown = `${status.fill} ${status.shape} ${status.text}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.status.show(() => status);
  }
}

function namedAs(device: string): { readonly topic: string; readonly device: string } {
  return { topic: device, device };
}

function chosen<T>(kind: 'Device' | 'Group', id: unknown, find: (id: string) => T | undefined): T {
  const found = find(String(id ?? ''));
  if (found) return found;
  const reason = isEmpty(id) ? (`no${kind}Chosen` as const) : (`chosen${kind}Gone` as const);
  throw new DeviceError('NOT_CONFIGURED', joinMessages([localized(reason), 'nothing is read']));
}

interface Failed {
  readonly name: string;
  readonly error: DeviceError;
}

const maxNamed = 10;

function errorOf(first: Failed, more: readonly Failed[]): DeviceError {
  const { code, reason, message } = first.error;
  if (more.length === 0) return first.error;
  const named = more.slice(0, maxNamed).map(({ name, error }) => (name === '' ? error.message : `"${name}"`));
  const rest = more.length > maxNamed ? ` and ${more.length - maxNamed} more` : '';
  const sentence = `${message}; these devices could not be read either: ${named.join(', ')}${rest}`;
  return new DeviceError(code, { reason, sentence });
}
