import { joinMessages, localized } from '../../catalogue/localized-message';
import { asDeviceError, DeviceError } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import type { Device } from '../device/device';
import { GroupFollower } from '../device/group-follower';
import type { DeviceGroup, Member as GroupMember } from '../device/registry';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import type { ConnectionState } from './connection-state';
import type { KnownDevices } from './known-devices';
import {
  type ConnectionPayload,
  type Content,
  type Reporter,
  type Sink,
  Watch,
  type WatchOptions,
  type WatchState,
} from './watch';

interface MemberListener {
  changes(device: string, messages: readonly Content[]): void;
  connection(device: string, payload: ConnectionPayload): void;
  fault(device: string, error: DeviceError): void;
  turn(before: boolean | undefined, now: boolean): void;
}

class Member implements Sink {
  readonly watch: Watch;
  #answers: boolean | undefined;

  constructor(
    readonly device: Device,
    readonly reporter: Reporter,
    options: WatchOptions,
    private readonly listener: MemberListener,
  ) {
    this.watch = new Watch(device, reporter, options, this);
  }

  get answers(): boolean | undefined {
    return this.#answers;
  }

  stop(): void {
    this.watch.stop();
  }

  changes(messages: readonly Content[]): void {
    this.listener.changes(this.device.name, messages);
  }

  connection(payload: ConnectionPayload): void {
    this.turn(payload.connection === 'restored');
    this.listener.connection(this.device.name, payload);
  }

  unsupported(error: DeviceError): void {
    this.listener.fault(this.device.name, error);
  }

  show({ state }: WatchState): void {
    if (state === 'watching' || state === 'unsupported') this.turn(true);
    if (state === 'offline') this.turn(false);
  }

  turn(answers: boolean): void {
    const before = this.#answers;
    if (before === answers) return;
    this.#answers = answers;
    this.listener.turn(before, answers);
  }
}

interface Reach {
  readonly reachable: number;
  readonly total: number;
}

/** The state of a group. `offline` is the number of offline members and members with an error. */
export type GroupState =
  | (Reach & { readonly state: 'watching'; readonly offline: number })
  | { readonly state: 'paused' }
  | { readonly state: 'unusable'; readonly error: DeviceError };

export interface GroupSink {
  changes(device: string, messages: readonly Content[]): void;
  connection(device: string, payload: ConnectionPayload & Reach): void;
  /** Called once for each error of a member that cannot be read, or of the group. */
  fault(device: string, error: DeviceError): void;
  show(state: GroupState): void;
}

interface GroupAnswers {
  readonly answers: readonly { readonly device: string; readonly content: Content }[];
  readonly error?: DeviceError;
}

export class GroupWatch {
  readonly #follower = new GroupFollower<Member>((asked, error) => this.sink.fault(asked, error));
  #followed: readonly GroupMember[] | undefined;
  #unusable: DeviceError | undefined;
  #reachable = 0;
  #offline = 0;
  #paused = false;
  #stopped = false;

  /**
   * @param find returns the current group, or throws a DeviceError
   * @param known the last states of the members before a deploy
   */
  constructor(
    private readonly find: () => DeviceGroup,
    private readonly makeReporter: () => Reporter,
    private options: WatchOptions,
    private readonly sink: GroupSink,
    private readonly known: KnownDevices,
  ) {}

  /**
   * Updates the watches to the current members of the group. Reports the error of a member once. Has no
   * effect if the members are unchanged.
   */
  follow(): void {
    const members = this.#findMembers();
    if (members === this.#followed) return;
    const makeReporter = this.known.makerOf(this.makeReporter);
    this.#follower.follow(members, (device, before) =>
      this.#begin(device, makeReporter(device), before?.watch.connection),
    );
    this.known.keepOnly(this.#follower.all.map(({ device, reporter }) => [device, reporter]));
    this.#followed = members;
    this.#count();
    this.#show();
  }

  /**
   * Sets the interval for all members, in milliseconds. The interval applies until the next deploy of the
   * node.
   */
  setInterval(intervalMs: number): void {
    this.options = { ...this.options, intervalMs };
    for (const { watch } of this.#follower.all) watch.setInterval(intervalMs);
  }

  pause(): void {
    this.#paused = true;
    for (const { watch } of this.#follower.all) watch.pause();
    this.#show();
  }

  resume(): void {
    this.#paused = false;
    for (const { watch } of this.#follower.all) watch.resume();
    this.#show();
  }

  /**
   * Reads each member now, even during a pause.
   * @throws DeviceError if the group cannot be used
   */
  async read(): Promise<GroupAnswers> {
    if (!this.#followed) this.follow();
    if (this.#unusable) throw this.#unusable;
    const limiter = new ConcurrencyLimiter(this.find().maxParallel);
    const asked = this.#follower.all;
    const settled = await Promise.allSettled(asked.map((one) => this.#readOne(one, limiter)));
    const failed = this.#follower.faults.map((error) => ({ name: '', error }));
    const answers = settled.flatMap((oneSettled, index) => {
      const device = asked[index]?.device.name ?? '';
      if (oneSettled.status === 'fulfilled') return [{ device, content: oneSettled.value }];
      failed.push({ name: device, error: asDeviceError(oneSettled.reason) });
      return [];
    });
    const [first, ...more] = failed;
    return first ? { answers, error: errorOf(first, more) } : { answers };
  }

  stop(): void {
    this.#stopped = true;
    this.#follower.stop();
  }

  async #readOne(member: Member, limiter: ConcurrencyLimiter): Promise<Content> {
    const permit = await limiter.enter(new Abort());
    try {
      // A watch that was stopped in the meantime would never answer.
      const isWatched = this.#follower.get(member.device.id) === member;
      if (isWatched && !this.#stopped) return await member.watch.read();
      const place = `"${member.device.name}"`;
      throw new DeviceError('ABORTED', joinMessages([localized('takenOut'), 'not read']), { place });
    } finally {
      limiter.leave(permit);
    }
  }

  #findMembers(): readonly GroupMember[] {
    this.#unusable = undefined;
    try {
      const { name, members } = this.find();
      if (members.length > 0) return members;
      const words = joinMessages(['the group has no members', 'nothing is read']);
      throw new DeviceError('NOT_CONFIGURED', words, { place: `"${name}"` });
    } catch (error) {
      this.#unusable = asDeviceError(error);
      return [{ asked: '', error: this.#unusable }];
    }
  }

  #begin(device: Device, reporter: Reporter, connection: ConnectionState | undefined): Member {
    const member = new Member(device, reporter, this.options, this.#listener);
    if (connection?.isOffline) {
      member.watch.inherit(connection);
      member.turn(false);
    }
    if (this.#paused) member.watch.pause();
    return member;
  }

  readonly #listener: MemberListener = {
    changes: (device, messages) => this.sink.changes(device, messages),
    connection: (device, payload) => {
      const { reachable, total } = this.#reach;
      this.sink.connection(device, { ...payload, reachable, total });
    },
    fault: (device, error) => this.sink.fault(device, error),
    // Updates the numbers of members step by step: counting all members after each reading would take
    // quadratic time.
    turn: (before, now) => {
      this.#reachable += now ? 1 : before === true ? -1 : 0;
      this.#offline += now ? (before === false ? -1 : 0) : 1;
      this.#show();
    },
  };

  get #reach(): Reach {
    return { reachable: this.#reachable, total: this.#follower.size };
  }

  #count(): void {
    const all = this.#follower.all.map(({ answers }) => answers);
    this.#reachable = all.filter((answers) => answers === true).length;
    this.#offline = all.filter((answers) => answers === false).length + this.#follower.faults.length;
  }

  #show(): void {
    if (this.#unusable) this.sink.show({ state: 'unusable', error: this.#unusable });
    else if (this.#paused) this.sink.show({ state: 'paused' });
    else this.sink.show({ state: 'watching', ...this.#reach, offline: this.#offline });
  }
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
