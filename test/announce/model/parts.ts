/* A trace as announcements at devices: whose tone is whose, when each begins and is over, what an alert holds. */
import type { Ask, Device, Entry, Request, Told, Trace } from './trace';

/** An announcement at one device. */
export interface Part {
  readonly ask: Ask;
  readonly device: Device;
  /** Its requests of tone/start. */
  readonly starts: Request[];
  /** Its events. */
  readonly told: readonly Told[];
  /** When a kill, or a deploy of its node, took it from memory. */
  readonly lostAt: number;
  readonly end: Told | undefined;
  readonly until: number;
}

export interface Holding {
  readonly device: string;
  readonly output: string;
  readonly alert: string;
  readonly from: number;
  readonly to: number;
}

/** What ends an announcement when another node or an alert sends it. */
export const preempting = ['tone/start', 'tone/stop', 'call/start', 'call/page', 'emergency/start'];
export const heard = ['tone', 'call', 'emergency'];
const ends = ['finished', 'stopped', 'skipped', 'failed'];
const restoring = ['tone/stop', 'screen/text-stop', 'settings/put'];

export const whenTold = ({ told }: Part, name: string) => told.find(({ event }) => event === name)?.t;
export const beginOf = (part: Part) =>
  Math.min(part.starts[0]?.t ?? Infinity, whenTold(part, 'started') ?? Infinity);
export const isPreemption = ({ by, op, done, answer }: Request) =>
  by !== 'own' && preempting.includes(op) && (done || answer === 'lost');

/** Goes by a connection of its own, before what waits (2.5). */
export const isUrgent = (op: string) =>
  /\/(\w+-)?stop$|\/lock$|\/(24v-)?disable$|^emergency\/start$/.test(op);

export class Reading {
  readonly slack: number;
  readonly asks: readonly Ask[];
  readonly plays: readonly Ask[];
  readonly requests: readonly Request[];
  readonly holdings: readonly Holding[];
  readonly parts: readonly Part[];
  /** Requests of tone/start that no announcement explains. */
  readonly strange: Request[] = [];
  /** Two of them had the same tone at the same moment: nothing is said of these. */
  readonly alike = new Set<Part>();
  readonly tagOf: ReadonlyMap<string, number>;

  constructor(readonly trace: Trace) {
    this.slack = trace.slackMs;
    this.asks = this.of('ask');
    this.requests = this.of('request');
    this.tagOf = new Map([...this.asks, ...this.of('output')].map(({ id, tag }) => [id ?? '', tag]));
    const holds = this.of('hold');
    const isSame = (a: (typeof holds)[number], b: (typeof holds)[number]) =>
      a.device === b.device && a.output === b.output && a.alert === b.alert;
    this.holdings = holds
      .filter(({ on }) => on)
      .map((hold) => {
        const off = holds.find((other) => !other.on && other.t >= hold.t && isSame(hold, other));
        return { ...hold, from: hold.t, to: off?.t ?? Infinity };
      });
    this.plays = this.asks.filter(({ operation, valid }) => operation === 'play' && valid);
    this.parts = this.plays.flatMap((ask) => this.#partsOf(ask));
    for (const request of this.requests)
      if (request.by === 'own' && request.op === 'tone/start') this.#assign(request);
  }

  of<Is extends Entry['is']>(is: Is) {
    return this.trace.entries.filter((entry) => entry.is === is) as Extract<Entry, { is: Is }>[];
  }

  /** When a kill, or a deploy of its node, took what was asked from memory. */
  lostAt(ask: Ask): number {
    const isLoss = (entry: Entry) =>
      entry.is === 'kill' || (entry.is === 'deploy' && entry.node === ask.node);
    const { entries } = this.trace;
    return entries.find((entry, index) => isLoss(entry) && index > entries.indexOf(ask))?.t ?? Infinity;
  }

  wasKilled(from: number, to: number): boolean {
    return this.of('kill').some(({ t }) => from <= t && t <= to);
  }

  wasAway({ name }: Device, from: number, to: number): boolean {
    return this.of('away').some(
      ({ device, t, until }) => device === name && t <= to && until >= from - this.slack,
    );
  }

  lengthOf(path: string, { lengthUnknown }: Device): number {
    return lengthUnknown && !path.startsWith('algo-') ? 5_000 : (this.trace.lengthsMs[path] ?? 0);
  }

  /** What alerts hold then, at a device: with a margin below 0 also what they may hold. */
  held(device: Device, outputs: readonly string[], from: number, to = from, margin = this.slack): Holding[] {
    return this.holdings.filter((hold) => {
      const isThere = hold.device === device.name && outputs.includes(hold.output);
      return isThere && hold.from + margin < to && from < hold.to - margin;
    });
  }

  others({ ask, device }: Part): Part[] {
    return this.parts.filter((other) => other.device === device && other.ask !== ask);
  }

  /** Whether another one plays or waits at that moment, or may do so, or what it changed may be there yet. */
  mayBeBusy(part: Part, moment: number): boolean {
    const [others, { slack }] = [this.others(part), this];
    if (others.some(({ ask, until }) => ask.t <= moment + slack && until >= moment - slack)) return true;
    const sounds = (start: Request) =>
      start.end + this.lengthOf(start.subject, part.device) + slack >= moment;
    if (others.some(({ starts }) => starts.some((s) => s.answer === 'lost' && s.t <= moment && sounds(s))))
      return true;
    const lastEnd = Math.max(0, ...others.map(({ until }) => until).filter((until) => until <= moment));
    return this.requests.some(({ by, op, device, t, end, value, answer }) => {
      const isRead =
        op === 'settings/get' && (part.starts.length === 0 || part.ask.volume === '' || answer !== 'yes');
      const isBack =
        by === 'own' && (isRead || (restoring.includes(op) && value !== (part.ask.volume || undefined)));
      const isLate = device === part.device.name && t >= lastEnd - slack && end >= moment - slack;
      return isBack && isLate && !others.some((other) => beginOf(other) > lastEnd && beginOf(other) < t);
    });
  }

  #partsOf(ask: Ask): Part[] {
    const [lostAt, { devices }] = [this.lostAt(ask), this.trace];
    return devices.flatMap((device) => {
      if (!ask.targets.includes(device.name)) return [];
      const told = this.of('event').filter(
        (e) => e.device === device.name && this.tagOf.get(e.id) === ask.tag,
      );
      const end = told.find(({ event }) => ends.includes(event));
      return [{ ask, device, starts: [], told, lostAt, end, until: end?.t ?? lostAt }];
    });
  }

  /** The one that has begun goes on; else the one that is told to start then. */
  #assign(request: Request): void {
    const fits = ({ ask, starts, device }: Part) => {
      if (device.name !== request.device || ask.t > request.t) return false;
      if (request.subject === ask.chime) return starts.length === 0;
      const audio = starts.filter(({ subject }) => subject === ask.file);
      return request.subject === ask.file && audio.length < ask.repeat;
    };
    const rank = (part: Part) => {
      if (part.until + this.slack < request.t) return 4e12;
      if (part.until <= request.t) return 3e12;
      // One that begins is told so then; one that could not be begun has ended then.
      const moments = [whenTold(part, 'started'), request.answer === 'yes' ? undefined : part.end?.t];
      const [near = 5e11] = moments
        .flatMap((t) => (t === undefined ? [] : Math.abs(t - request.end)))
        .sort((a, b) => a - b);
      return (part.starts.length > 0 ? 0 : 2e12) + near;
    };
    const isAlike = () =>
      [...this.alike].some(
        ({ device: { name }, ask: { chime, file } }) =>
          name === request.device && [chime, file].includes(request.subject),
      );
    const [part, ...others] = this.parts.filter(fits).sort((a, b) => rank(a) - rank(b));
    if (part) part.starts.push(request);
    else if (!isAlike()) this.strange.push(request);
    const isNear = (one: Part) =>
      (one.until >= request.t - this.slack && one.until <= request.end + this.slack) ||
      (one.told.length === 0 && one.starts.length === 0);
    if (!part || !others.some((other) => isNear(part) || isNear(other))) return;
    for (const one of [part, ...others]) if (isNear(one) || one === part) this.alike.add(one);
  }
}
