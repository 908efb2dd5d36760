/*
What alerts promise (docs/contract.md, section 2.6) on a page: who wants what at a place, which is one subject of
one device, and what of theirs may be on there. It knows no time, sends nothing, and remembers everything; it is told
what is asked of the devices and what came of it, and says what may be asked, and what has to be on in the end.
*/

/** What an alert starts. One that does not last ends by itself: it is neither ended nor started again. */
export interface ModelAction {
  /** No two are the same. */
  readonly action: unknown;
  /** By which name of the device. */
  readonly by: string;
  readonly lasting: boolean;
  readonly repeatable: boolean;
  /** It may be started again once whatever is there has ended. */
  readonly steady: boolean;
  /** Whether it is tried again where it was not started. */
  readonly retry: 'never' | 'all' | 'always';
}

export type Came = 'taken' | 'unknown' | 'refused' | 'missed' | 'impossible' | 'skipped';

interface Start extends ModelAction {
  readonly alert: string;
  readonly comesBack: boolean;
  /** Later ones have a higher one. */
  readonly count: number;
}

/** An action at its output. `over`: another one's start is there instead, or what its alert wanted before. */
type Want = ModelAction & {
  over: boolean;
  readonly count: number;
  /** What its last start came to, where that was not a yes. */
  problem?: Came | undefined;
  /** A person has been there since. */
  left?: boolean;
};

/** What is at a place, or may be. */
interface There extends Start {
  readonly isSure: boolean;
  /** Whose start may be there in its stead. */
  readonly instead: readonly string[];
}

interface On {
  readonly priority: number;
  readonly drill: boolean;
  readonly order: number;
  readonly wants: Map<string, Want>;
  readonly retry: boolean | 'all';
  /** Where something failed that is not wanted any more. */
  readonly failed: Set<string>;
}

export class Model {
  #count = 0;
  /** The alerts that are on, with what they want by place. */
  readonly on = new Map<string, On>();
  /** By place: whose start is there, or may be, unless it was ended or replaced since. */
  readonly there = new Map<string, There>();
  /** By place: starts that have been asked for and not been answered. */
  readonly asked = new Map<string, Start[]>();

  /** A drill changes nothing of an alert that is on in earnest. @returns whether it begins */
  begin(
    name: string,
    priority: number,
    drill: boolean,
    retry: On['retry'],
    devices: readonly string[],
  ): boolean {
    if (!this.mayDrill(name, drill)) return false;
    this.#count += 1;
    const { wants = new Map(), failed = new Set<string>() } = this.on.get(name) ?? {};
    for (const place of failed) if (devices.includes(deviceOf(place))) failed.delete(place);
    this.on.set(name, { priority, drill, order: this.#count, wants, retry, failed });
    return true;
  }

  /** Whether a start or a clear may do something to an alert. */
  mayDrill(name: string, drill: boolean): boolean {
    return !drill || this.on.get(name)?.drill !== false;
  }

  /** Whether its start is sent; else the alert that it has to give way to. */
  want(name: string, place: string, deviceAction: ModelAction): string | undefined {
    const wants = this.on.get(name)?.wants;
    this.#count += 1;
    const want = { ...deviceAction, over: false, count: this.#count };
    wants?.set(place, want);
    const owner = this.owner(place);
    if (owner === name) return undefined;
    want.over = true;
    return owner;
  }

  /**
   * Returns the alert that owns an output. A real alert goes before every drill, then the alert of the highest priority,
   * then the alert that was started last. An alert whose action the device rejected goes after all others.
   */
  owner(place: string): string | undefined {
    const there = [...this.on].filter(([, { wants }]) => wants.has(place));
    const rank = ([name, { drill, priority, order, wants }]: [string, On]) => {
      const isRefused = wants.get(place)?.problem === 'refused' && this.there.get(place)?.alert !== name;
      return [isRefused ? 0 : 1, drill ? 0 : 1, priority, order];
    };
    const byRank = (a: [string, On], b: [string, On]) => {
      const [one, other] = [rank(a), rank(b)];
      return one.map((value, index) => (other[index] ?? 0) - value).find((by) => by !== 0) ?? 0;
    };
    return there.sort(byRank)[0]?.[0];
  }

  /**
   * Whether a start that was not done, or perhaps not, may be sent again: what belongs to its alert, has not been
   * touched by a person since, and may be done late; where nobody knows, only what may be done twice. What is there
   * and must not be is ended before.
   */
  mayTryAgain(name: string, place: string): boolean {
    const { wants, retry } = this.on.get(name) ?? {};
    const want = wants?.get(place);
    if (!want || this.owner(place) !== name || !this.#isTriedAgain(want, retry)) return false;
    return !this.mayComeBack(name, place) && !this.#isUnwanted(place) && !this.isEndedFirst(place);
  }

  #isTriedAgain({ problem, left, lasting, retry, repeatable }: Want, of: On['retry'] | undefined): boolean {
    if (!problem || problem === 'impossible' || left || !lasting) return false;
    return (
      (retry === 'always' ? Boolean(of) : retry === 'all' && of === 'all') &&
      (problem !== 'unknown' || repeatable)
    );
  }

  #isUnwanted(place: string): boolean {
    const there = this.there.get(place);
    return there?.lasting === true && !this.on.get(there.alert)?.wants.has(place);
  }

  /** Devices where an action's last receipt is unknown, or that it failed; what is held back is neither. */
  withProblem(name: string, what: 'unknown' | 'failed'): string[] {
    const { wants = [], failed = [] } = this.on.get(name) ?? {};
    const own = [...wants].filter(([place, { problem }]) => {
      if (!problem || this.owner(place) !== name) return false;
      return (problem === 'unknown') === (what === 'unknown');
    });
    const places = [...own.map(([place]) => place), ...(what === 'failed' ? failed : [])];
    return [...new Set(places.map(deviceOf))].sort();
  }

  /** Devices where all that an alert wants is on. */
  lit(name: string): string[] {
    const { wants = new Map<string, Want>(), failed = new Set<string>() } = this.on.get(name) ?? {};
    const [all, dark] = [[...wants.keys()], [...failed].map(deviceOf)];
    for (const place of all) {
      const hasProblem = wants.get(place)?.problem && this.owner(place) === name;
      if (hasProblem || this.there.get(place)?.alert !== name) dark.push(deviceOf(place));
    }
    return [...new Set(all.map(deviceOf))].filter((device) => !dark.includes(device)).sort();
  }

  #drop(name: string, place: string, came: Came): void {
    const { wants, failed } = this.on.get(name) ?? {};
    wants?.delete(place);
    if (came !== 'skipped') failed?.add(place);
  }

  ask(alert: string, place: string, deviceAction: ModelAction, comesBack: boolean): void {
    this.#count += 1;
    const want = this.on.get(alert)?.wants.get(place);
    if (want) want.left = false;
    const start = { alert, ...deviceAction, comesBack, count: this.#count };
    this.asked.set(place, [...(this.asked.get(place) ?? []), start]);
  }

  /** What came of the first start that was asked for at a place. */
  answered(place: string, came: Came): void {
    const [start, ...others] = this.asked.get(place) ?? [];
    if (!start) throw new Error(`nothing was asked for at ${place}`);
    this.asked.set(place, others);
    const { alert, comesBack, action, lasting, count } = start;
    const [before, wants] = [this.there.get(place), this.on.get(alert)?.wants];
    const want = wants?.get(place);
    const isOwn = want?.action === action;
    if (want && isOwn) want.problem = came === 'taken' || came === 'skipped' ? undefined : came;
    if (came === 'taken' || came === 'unknown') {
      const isSure = came === 'taken';
      // What may not have begun ends nothing that lasts.
      const were = !isSure && before?.lasting ? [...before.instead, before.alert] : [];
      const instead = were.filter((other) => other !== alert);
      const what = !isSure && !lasting && before?.lasting ? before : start;
      this.there.set(place, { ...what, alert, comesBack, count, action, isSure, instead });
      this.#putOver(place, { alert, action });
      this.#forget(alert);
    } else if (comesBack) {
      if (came === 'missed' || !want || !isOwn) return;
      want.over = false;
      if (!this.#isTriedAgain(want, this.on.get(alert)?.retry)) this.#drop(alert, place, came);
    } else if (before?.alert !== alert && !others.some((other) => other.alert === alert)) {
      if (!want || want.over || this.#isTriedAgain(want, this.on.get(alert)?.retry)) return;
      this.#drop(alert, place, came);
    }
  }

  clear(name: string): void {
    this.on.delete(name);
    this.#forget(name);
  }

  /** What ends by itself is of no interest once its alert is over. */
  #forget(name: string): void {
    for (const [place, { alert, lasting }] of this.there) {
      if (alert === name && !lasting && !this.on.get(name)?.wants.has(place)) this.there.delete(place);
    }
  }

  /**
   * Whether an end may be sent: only for what an alert started that wants it no more, and if none comes back. What
   * another one still wants and has asked for would be ended with it.
   */
  mayEnd(place: string): boolean {
    const asked = this.asked.get(place) ?? [];
    if (asked.some(({ alert }) => this.on.get(alert)?.wants.has(place))) return false;
    const there = [...asked, ...[this.there.get(place) ?? []].flat()];
    const owner = this.owner(place);
    if (this.isEndedFirst(place)) return true;
    const isUnwanted = there.some(({ alert, lasting }) => lasting && !this.on.get(alert)?.wants.has(place));
    return (
      isUnwanted &&
      (owner === undefined || (!this.mayComeBack(owner, place) && this.there.get(place)?.alert !== owner))
    );
  }

  /** Whether an alert's start may be sent in the place of an end. */
  mayComeBack(name: string, place: string): boolean {
    const deviceAction = this.on.get(name)?.wants.get(place);
    const there = this.there.get(place);
    const isDoubted = there?.alert === name && there.repeatable && this.#isDoubted(place);
    const isMeant =
      (deviceAction?.over || isDoubted) === true &&
      deviceAction?.lasting === true &&
      deviceAction.problem !== 'refused';
    return this.owner(place) === name && isMeant;
  }

  /** Whether nobody knows which of two alerts' starts is there: whatever it is, it is ended and one starts again. */
  isEndedFirst(place: string): boolean {
    const [there, owner] = [this.there.get(place), this.owner(place) ?? ''];
    // What the device refuses replaces nothing.
    const isRefused = this.on.get(owner)?.wants.get(place)?.problem === 'refused';
    const isMeant = there?.steady || (isRefused && there?.repeatable && there.lasting);
    return isMeant === true && this.#isDoubted(place) && !this.mayComeBack(owner, place);
  }

  /** Whether what nobody wants there may be there: another one's start, of which it is not known that it is over. */
  #isDoubted(place: string): boolean {
    const { instead = [], comesBack } = this.there.get(place) ?? {};
    return instead.some((other) => comesBack || !this.on.get(other)?.wants.has(place));
  }

  /** An end was taken. */
  ended(place: string): void {
    const there = this.there.get(place);
    const want = this.on.get(there?.alert ?? '')?.wants.get(place);
    if (want && (there?.repeatable || there?.steady) && this.#isDoubted(place)) want.over = true;
    this.gone(place);
  }

  /** A person's own node has done something there. */
  leave(place: string): void {
    this.gone(place);
    for (const [name, { wants }] of this.on) {
      const want = wants.get(place);
      if (!want) continue;
      want.left = true;
      const isAsked = this.asked.get(place)?.some(({ alert }) => alert === name);
      if (want.problem && want.problem !== 'unknown' && !want.over && !isAsked)
        this.#drop(name, place, want.problem);
    }
  }

  gone(place: string): void {
    this.there.delete(place);
  }

  /** Nobody knows whether an end was taken. */
  perhapsGone(place: string): void {
    const there = this.there.get(place);
    if (there) this.there.set(place, { ...there, isSure: false });
  }

  /**
   * Names lead elsewhere. What is there goes with the name that it was started by, and the action of its alert with it;
   * what others want goes with theirs. Where two come together, the later one is there.
   * @param leads where that is now which was at a device by a name
   * @returns where what was there has gone, by place: nowhere, where a later one is there
   */
  move(leads: (by: string, device: string) => string): Map<string, string | undefined> {
    const [were, gone] = [[...this.there], new Map<string, string | undefined>()];
    const from = new Map<string, Set<string>>();
    const to = (place: string, by: string) => {
      const [device = '', subject] = place.split('/');
      const now = `${leads(by, device)}/${subject}`;
      from.set(now, (from.get(now) ?? new Set()).add(place));
      return now;
    };
    this.there.clear();
    for (const [place, start] of were) {
      const now = to(place, start.by);
      const other = this.there.get(now);
      gone.set(place, now);
      const last = other && other.count > start.count ? other : start;
      this.there.set(now, { ...last, isSure: last.isSure && !other && now === place });
    }
    for (const [name, { wants }] of this.on) {
      const had = [...wants];
      wants.clear();
      for (const [place, deviceAction] of had) {
        const is = were.find(([where, { alert }]) => where === place && alert === name)?.[1];
        const now = to(place, (is ?? deviceAction).by);
        const by =
          leads(deviceAction.by, place.split('/')[0] ?? '') === now.split('/')[0]
            ? deviceAction.by
            : (is ?? deviceAction).by;
        if ((wants.get(now)?.count ?? 0) < deviceAction.count) wants.set(now, { ...deviceAction, by });
      }
    }
    for (const [place, start] of this.there)
      if ((from.get(place)?.size ?? 0) > 1) this.#putOver(place, start);
    for (const [place, { count }] of were) {
      const now = gone.get(place) ?? place;
      if (this.there.get(now)?.count !== count) gone.set(place, undefined);
    }
    return gone;
  }

  /** This start is there, so no other alert's is; what its own alert was started with since, and held back, is not either. */
  #putOver(place: string, { alert, action }: Pick<Start, 'alert' | 'action'>): void {
    for (const [name, { wants }] of this.on) {
      const deviceAction = wants.get(place);
      if (deviceAction)
        deviceAction.over = name !== alert || (deviceAction.over && deviceAction.action !== action);
    }
  }
}

function deviceOf(place: string): string {
  return place.split('/')[0] ?? '';
}
