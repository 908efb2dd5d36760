import { DeviceError, wordsOf } from '../../client/errors';
import { Abort } from '../../client/queue/entry';
import type { Device } from '../device/device';
import type { DeviceGroup, Member as GroupMember } from '../device/registry';
import { ConcurrencyLimiter } from '../message/concurrency-limiter';
import type { Contact } from './contact';
import type { Known } from './known';
import {
  type ContactPayload,
  type Content,
  type Reporter,
  type Sink,
  Watch,
  type WatchOptions,
  type WatchState,
} from './watch';

/** Who wants to know what the watch over one member says. */
interface MemberListener {
  changes(device: string, messages: readonly Content[]): void;
  contact(device: string, payload: ContactPayload): void;
  fault(device: string, error: DeviceError): void;
  /** @param before whether it answered, undefined until it had been read */
  turn(before: boolean | undefined, now: boolean): void;
}

/** Where the watch over one member of a group leads to. */
class Member implements Sink {
  #answers: boolean | undefined;

  constructor(
    readonly device: Device,
    private readonly listener: MemberListener,
  ) {}

  /** Undefined until it has been read. */
  get answers(): boolean | undefined {
    return this.#answers;
  }

  changes(messages: readonly Content[]): void {
    this.listener.changes(this.device.name, messages);
  }

  contact(payload: ContactPayload): void {
    this.turn(payload.contact === 'restored');
    this.listener.contact(this.device.name, payload);
  }

  lack(error: DeviceError): void {
    this.listener.fault(this.device.name, error);
  }

  show({ state }: WatchState): void {
    if (state === 'watching' || state === 'lacking') this.turn(true);
    if (state === 'lost') this.turn(false);
  }

  turn(answers: boolean): void {
    const before = this.#answers;
    if (before === answers) return;
    this.#answers = answers;
    this.listener.turn(before, answers);
  }
}

/** How many members answer, of how many. */
interface Reach {
  readonly reachable: number;
  readonly of: number;
}

/** What is to be seen of a group; the members that are neither reachable nor lost have not been read yet. */
export type GroupState =
  | (Reach & { readonly state: 'watching'; readonly lost: number })
  | { readonly state: 'paused' }
  | { readonly state: 'unusable'; readonly error: DeviceError };

/** Where the watch over a group leads to. */
export interface GroupSink {
  changes(device: string, messages: readonly Content[]): void;
  contact(device: string, payload: ContactPayload & Reach): void;
  /** A member, or the group, cannot be read; said once. */
  fault(device: string, error: DeviceError): void;
  show(state: GroupState): void;
  /** Nothing is told afterwards. */
  close(): void;
}

/** What the members said when they were asked, in their order, and the error that stands for all that said nothing. */
interface GroupAnswers {
  readonly answers: readonly { readonly device: string; readonly content: Content }[];
  readonly error?: DeviceError;
}

interface Watched {
  readonly member: Member;
  readonly watch: Watch;
  readonly reporter: Reporter;
}

/** One node's watch over the members of a group, from its start to its stop: one watch for each of them. */
export class GroupWatch {
  /** By the device's id, in the order of the members. */
  #watched: ReadonlyMap<string, Watched> = new Map();
  /** Why members cannot be read, by its sentence. */
  #faults: ReadonlyMap<string, DeviceError> = new Map();
  #followed: readonly GroupMember[] | undefined;
  #unusable: DeviceError | undefined;
  #reachable = 0;
  #lost = 0;
  #paused = false;
  #stopped = false;

  /**
   * @param find the group as it is now, or a DeviceError
   * @param makeReporter for each member one of its own
   * @param known what the node knew of the members before a deploy
   */
  constructor(
    private readonly find: () => DeviceGroup,
    private readonly makeReporter: () => Reporter,
    private options: WatchOptions,
    private readonly sink: GroupSink,
    private readonly known: Known,
  ) {}

  /** Reads the members that the group has now, and no others. What is wrong with one is said once. */
  follow(): void {
    const members = this.#findMembers();
    if (members === this.#followed) return;
    const [before, saidBefore] = [this.#watched, this.#faults];
    const watched = new Map<string, Watched>();
    const faults = new Map<string, DeviceError>();
    const makeReporter = this.known.makerOf(this.makeReporter);
    for (const { device, asked, error } of members) {
      if (error) {
        faults.set(error.message, error);
        if (!saidBefore.has(error.message)) this.sink.fault(asked, error);
        continue;
      }
      const known = before.get(device.id);
      const isSame = known?.member.device === device;
      watched.set(
        device.id,
        isSame ? known : this.#begin(device, makeReporter(device), known?.watch.contact),
      );
    }
    this.known.keepOnly([...watched.values()].map(({ member, reporter }) => [member.device, reporter]));
    for (const [id, { watch }] of before) if (watched.get(id)?.watch !== watch) watch.stop();
    this.#followed = members;
    this.#watched = watched;
    this.#faults = faults;
    this.#count();
    this.#show();
  }

  /** Another interval, until the node is deployed again. */
  setInterval(intervalMs: number): void {
    this.options = { ...this.options, intervalMs };
    for (const { watch } of this.#watched.values()) watch.setInterval(intervalMs);
  }

  pause(): void {
    this.#paused = true;
    for (const { watch } of this.#watched.values()) watch.pause();
    this.#show();
  }

  resume(): void {
    this.#paused = false;
    for (const { watch } of this.#watched.values()) watch.resume();
    this.#show();
  }

  /**
   * Reads every member now, paused or not.
   * @throws DeviceError when the group cannot be used
   */
  async read(): Promise<GroupAnswers> {
    if (!this.#followed) this.follow();
    if (this.#unusable) throw this.#unusable;
    const limiter = new ConcurrencyLimiter(this.find().maxParallel);
    const asked = [...this.#watched.values()];
    const ends = await Promise.allSettled(asked.map((one) => this.#readOne(one, limiter)));
    const failed = [...this.#faults.values()].map((error) => ({ name: '', error }));
    const answers = ends.flatMap((end, index) => {
      const device = asked[index]?.member.device.name ?? '';
      if (end.status === 'fulfilled') return [{ device, content: end.value }];
      failed.push({ name: device, error: deviceErrorOf(end.reason) });
      return [];
    });
    const [first, ...more] = failed;
    return first ? { answers, error: errorOf(first, more) } : { answers };
  }

  /** Leaves no timer and no request. */
  stop(): void {
    this.#stopped = true;
    for (const { watch } of this.#watched.values()) watch.stop();
    this.sink.close();
  }

  async #readOne({ watch, member }: Watched, limiter: ConcurrencyLimiter): Promise<Content> {
    const permit = await limiter.enter(new Abort(), watch);
    try {
      // One that was stopped meanwhile would never answer.
      const isWatched = this.#watched.get(member.device.id)?.watch === watch;
      if (isWatched && !this.#stopped) return await watch.read();
      throw new DeviceError(
        'ABORTED',
        `"${member.device.name}" was not read: a deploy took it out meanwhile`,
      );
    } finally {
      limiter.leave(permit);
    }
  }

  #findMembers(): readonly GroupMember[] {
    this.#unusable = undefined;
    try {
      const { name, members } = this.find();
      if (members.length > 0) return members;
      throw new DeviceError('NOT_CONFIGURED', `Group "${name}" has no members; nothing is read`);
    } catch (error) {
      this.#unusable = deviceErrorOf(error);
      return [{ asked: '', error: this.#unusable }];
    }
  }

  #begin(device: Device, reporter: Reporter, contact: Contact | undefined): Watched {
    const member = new Member(device, this.#listener);
    const watch = new Watch(device, reporter, this.options, member);
    if (contact?.lost) {
      watch.inherit(contact);
      member.turn(false);
    }
    if (this.#paused) watch.pause();
    return { member, watch, reporter };
  }

  readonly #listener: MemberListener = {
    changes: (device, messages) => this.sink.changes(device, messages),
    contact: (device, payload) => {
      const { reachable, of } = this.#reach;
      this.sink.contact(device, { ...payload, reachable, of });
    },
    fault: (device, error) => this.sink.fault(device, error),
    // Counted one by one: to look at all members at each reading would cost the square of them.
    turn: (before, now) => {
      this.#reachable += now ? 1 : before === true ? -1 : 0;
      this.#lost += now ? (before === false ? -1 : 0) : 1;
      this.#show();
    },
  };

  get #reach(): Reach {
    return { reachable: this.#reachable, of: this.#watched.size + this.#faults.size };
  }

  #count(): void {
    const all = [...this.#watched.values()].map(({ member }) => member.answers);
    this.#reachable = all.filter((answers) => answers === true).length;
    this.#lost = all.filter((answers) => answers === false).length + this.#faults.size;
  }

  #show(): void {
    if (this.#unusable) this.sink.show({ state: 'unusable', error: this.#unusable });
    else if (this.#paused) this.sink.show({ state: 'paused' });
    else this.sink.show({ state: 'watching', ...this.#reach, lost: this.#lost });
  }
}

function deviceErrorOf(error: unknown): DeviceError {
  return error instanceof DeviceError ? error : new DeviceError('PROTOCOL', wordsOf(error), { cause: error });
}

interface Failed {
  readonly name: string;
  readonly error: DeviceError;
}

/** How many members that could not be read are named. */
const maxNamed = 10;

/** One error for all: of the code they have in common, else the first one's. */
function errorOf(first: Failed, more: readonly Failed[]): DeviceError {
  const { code, message } = first.error;
  if (more.length === 0) return first.error;
  const named = more.slice(0, maxNamed).map(({ name, error }) => (name === '' ? error.message : `"${name}"`));
  const rest = more.length > maxNamed ? ` and ${more.length - maxNamed} more` : '';
  return new DeviceError(code, `${message}; nor could be read: ${named.join(', ')}${rest}`);
}
