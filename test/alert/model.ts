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

export type ModelResult = 'taken' | 'unknown' | 'refused' | 'missed' | 'impossible' | 'skipped';

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
  problem?: ModelResult | undefined;
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
    for (const output of failed) if (devices.includes(deviceOf(output))) failed.delete(output);
    this.on.set(name, { priority, drill, order: this.#count, wants, retry, failed });
    return true;
  }

  /** Whether a start or a clear may do something to an alert. */
  mayDrill(name: string, drill: boolean): boolean {
    return !drill || this.on.get(name)?.drill !== false;
  }

  /** Whether its start is sent; else the alert that it has to give way to. */
  want(name: string, output: string, deviceAction: ModelAction): string | undefined {
    const wants = this.on.get(name)?.wants;
    this.#count += 1;
    // The result of an earlier start stays unknown until this one has an answer.
    const problem = wants?.get(output)?.problem === 'unknown' ? 'unknown' : undefined;
    const want: Want = { ...deviceAction, over: false, count: this.#count, problem };
    wants?.set(output, want);
    const owner = this.owner(output);
    if (owner === name) return undefined;
    want.over = true;
    return owner;
  }

  /**
   * Returns the alert that owns an output. A real alert goes before every drill, then the alert of the highest priority,
   * then the alert that was started last. An alert whose action the device rejected goes after all others.
   */
  owner(output: string): string | undefined {
    const there = [...this.on].filter(([, { wants }]) => wants.has(output));
    const rank = ([name, { drill, priority, order, wants }]: [string, On]) => {
      const isRefused = wants.get(output)?.problem === 'refused' && this.there.get(output)?.alert !== name;
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
  mayTryAgain(name: string, output: string): boolean {
    const { wants, retry } = this.on.get(name) ?? {};
    const want = wants?.get(output);
    if (!want || this.owner(output) !== name || !this.#isTriedAgain(want, retry)) return false;
    if (this.mayComeBack(name, output) || this.#isUnwanted(output) || this.isEndedFirst(output)) return false;
    return !this.#isSteadyOf(name, output);
  }

  /** Whether what lasts until a stop, and is tried again, may be there: it is ended before it is started again. */
  isEndedBeforeAgain(output: string): boolean {
    const name = this.owner(output) ?? '';
    const { wants, retry } = this.on.get(name) ?? {};
    const want = wants?.get(output);
    if (!want || !this.#isTriedAgain(want, retry) || this.mayComeBack(name, output)) return false;
    return this.#isSteadyOf(name, output) && !this.isEndedFirst(output);
  }

  #isSteadyOf(name: string, output: string): boolean {
    const there = this.there.get(output);
    return there?.alert === name && there.steady;
  }

  #isTriedAgain(
    { problem, left, lasting, retry, repeatable, steady }: Want,
    of: On['retry'] | undefined,
  ): boolean {
    if (!problem || problem === 'impossible' || left || !lasting) return false;
    return (
      (retry === 'always' ? Boolean(of) : retry === 'all' && of === 'all') &&
      (problem !== 'unknown' || repeatable || steady)
    );
  }

  #isUnwanted(output: string): boolean {
    const there = this.there.get(output);
    return there?.lasting === true && !this.on.get(there.alert)?.wants.has(output);
  }

  /** Devices where an action's last receipt is unknown, or that it failed; what is held back is neither. */
  withProblem(name: string, what: 'unknown' | 'failed'): string[] {
    const { wants = [], failed = [] } = this.on.get(name) ?? {};
    const own = [...wants].filter(([output, { problem }]) => {
      if (!problem || this.owner(output) !== name) return false;
      return (problem === 'unknown') === (what === 'unknown');
    });
    const outputs = [...own.map(([output]) => output), ...(what === 'failed' ? failed : [])];
    return [...new Set(outputs.map(deviceOf))].sort();
  }

  /** Devices where all that an alert wants is on. */
  lit(name: string): string[] {
    const { wants = new Map<string, Want>(), failed = new Set<string>() } = this.on.get(name) ?? {};
    const [all, dark] = [[...wants.keys()], [...failed].map(deviceOf)];
    for (const output of all) {
      const hasProblem = wants.get(output)?.problem && this.owner(output) === name;
      if (hasProblem || this.there.get(output)?.alert !== name) dark.push(deviceOf(output));
    }
    return [...new Set(all.map(deviceOf))].filter((device) => !dark.includes(device)).sort();
  }

  #drop(name: string, output: string, result: ModelResult): void {
    const { wants, failed } = this.on.get(name) ?? {};
    wants?.delete(output);
    if (result !== 'skipped') failed?.add(output);
  }

  ask(alert: string, output: string, deviceAction: ModelAction, comesBack: boolean): void {
    this.#count += 1;
    const want = this.on.get(alert)?.wants.get(output);
    if (want) want.left = false;
    const start = { alert, ...deviceAction, comesBack, count: this.#count };
    this.asked.set(output, [...(this.asked.get(output) ?? []), start]);
  }

  /** What came of the first start that was asked for at a place. */
  answered(output: string, result: ModelResult): void {
    const [start, ...others] = this.asked.get(output) ?? [];
    if (!start) throw new Error(`nothing was asked for at ${output}`);
    this.asked.set(output, others);
    const { alert, comesBack, action, lasting, count } = start;
    const [before, wants] = [this.there.get(output), this.on.get(alert)?.wants];
    const want = wants?.get(output);
    const isOwn = want?.action === action;
    if (want && isOwn) want.problem = result === 'taken' || result === 'skipped' ? undefined : result;
    if (result === 'taken' || result === 'unknown') {
      const isSure = result === 'taken';
      // What may not have begun ends nothing that lasts.
      const were = !isSure && before?.lasting ? [...before.instead, before.alert] : [];
      const instead = were.filter((other) => other !== alert);
      const what = !isSure && !lasting && before?.lasting ? before : start;
      this.there.set(output, { ...what, alert, comesBack, count, action, isSure, instead });
      this.#putOver(output, { alert, action });
      this.#forget(alert);
    } else if (comesBack) {
      if (result === 'missed' || !want || !isOwn) return;
      want.over = false;
      if (!this.#isTriedAgain(want, this.on.get(alert)?.retry)) this.#drop(alert, output, result);
    } else if (before?.alert !== alert && !others.some((other) => other.alert === alert)) {
      if (!want || want.over || this.#isTriedAgain(want, this.on.get(alert)?.retry)) return;
      this.#drop(alert, output, result);
    }
  }

  clear(name: string): void {
    this.on.delete(name);
    this.#forget(name);
  }

  /** What ends by itself is of no interest once its alert is over. */
  #forget(name: string): void {
    for (const [output, { alert, lasting }] of this.there) {
      if (alert === name && !lasting && !this.on.get(name)?.wants.has(output)) this.there.delete(output);
    }
  }

  /**
   * Whether an end may be sent: only for what an alert started that wants it no more, and if none comes back. What
   * another one still wants and has asked for would be ended with it.
   */
  mayEnd(output: string): boolean {
    const asked = this.asked.get(output) ?? [];
    if (asked.some(({ alert }) => this.on.get(alert)?.wants.has(output))) return false;
    const there = [...asked, ...[this.there.get(output) ?? []].flat()];
    const owner = this.owner(output);
    if (this.isEndedFirst(output) || this.isEndedBeforeAgain(output)) return true;
    const isUnwanted = there.some(({ alert, lasting }) => lasting && !this.on.get(alert)?.wants.has(output));
    return (
      isUnwanted &&
      (owner === undefined || (!this.mayComeBack(owner, output) && this.there.get(output)?.alert !== owner))
    );
  }

  /** Whether an alert's start may be sent in the place of an end. */
  mayComeBack(name: string, output: string): boolean {
    const deviceAction = this.on.get(name)?.wants.get(output);
    const there = this.there.get(output);
    const isDoubted = there?.alert === name && there.repeatable && this.#isDoubted(output);
    const isMeant =
      (deviceAction?.over || isDoubted) === true &&
      deviceAction?.lasting === true &&
      deviceAction.problem !== 'refused';
    return this.owner(output) === name && isMeant;
  }

  /** Whether nobody knows which of two alerts' starts is there: whatever it is, it is ended and one starts again. */
  isEndedFirst(output: string): boolean {
    const [there, owner] = [this.there.get(output), this.owner(output) ?? ''];
    // What the device refuses replaces nothing.
    const isRefused = this.on.get(owner)?.wants.get(output)?.problem === 'refused';
    const isMeant = there?.steady || (isRefused && there?.repeatable && there.lasting);
    return isMeant === true && this.#isDoubted(output) && !this.mayComeBack(owner, output);
  }

  /** Whether what nobody wants there may be there: another one's start, of which it is not known that it is over. */
  #isDoubted(output: string): boolean {
    const { instead = [], comesBack } = this.there.get(output) ?? {};
    return instead.some((other) => comesBack || !this.on.get(other)?.wants.has(output));
  }

  /** An end was taken that was meant for an alert. What another one has there is over with it, and comes back. */
  ended(output: string, alert: string): void {
    const there = this.there.get(output);
    const want = this.on.get(there?.alert ?? '')?.wants.get(output);
    const isDoubted = (there?.repeatable || there?.steady) && this.#isDoubted(output);
    if (want && (isDoubted || there?.alert !== alert)) want.over = true;
    this.gone(output);
  }

  /** A person's own node has done something there. */
  leave(output: string): void {
    this.gone(output);
    for (const [name, { wants }] of this.on) {
      const want = wants.get(output);
      if (!want) continue;
      want.left = true;
      const isAsked = this.asked.get(output)?.some(({ alert }) => alert === name);
      if (want.problem && want.problem !== 'unknown' && !want.over && !isAsked)
        this.#drop(name, output, want.problem);
    }
  }

  gone(output: string): void {
    this.there.delete(output);
  }

  /** Nobody knows whether an end was taken. */
  mayBeGone(output: string): void {
    const there = this.there.get(output);
    if (there) this.there.set(output, { ...there, isSure: false });
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
    const to = (output: string, by: string) => {
      const [device = '', deviceOutput] = output.split('/');
      const now = `${leads(by, device)}/${deviceOutput}`;
      from.set(now, (from.get(now) ?? new Set()).add(output));
      return now;
    };
    this.there.clear();
    for (const [output, start] of were) {
      const now = to(output, start.by);
      const other = this.there.get(now);
      gone.set(output, now);
      const last = other && other.count > start.count ? other : start;
      this.there.set(now, { ...last, isSure: last.isSure && !other && now === output });
    }
    for (const [name, { wants }] of this.on) {
      const had = [...wants];
      wants.clear();
      for (const [output, deviceAction] of had) {
        const is = were.find(([where, { alert }]) => where === output && alert === name)?.[1];
        const now = to(output, (is ?? deviceAction).by);
        const by =
          leads(deviceAction.by, output.split('/')[0] ?? '') === now.split('/')[0]
            ? deviceAction.by
            : (is ?? deviceAction).by;
        if ((wants.get(now)?.count ?? 0) < deviceAction.count) wants.set(now, { ...deviceAction, by });
      }
    }
    for (const [output, start] of this.there)
      if ((from.get(output)?.size ?? 0) > 1) this.#putOver(output, start);
    for (const [output, { count }] of were) {
      const now = gone.get(output) ?? output;
      if (this.there.get(now)?.count !== count) gone.set(output, undefined);
    }
    return gone;
  }

  /** This start is there, so no other alert's is; what its own alert was started with since, and held back, is not either. */
  #putOver(output: string, { alert, action }: Pick<Start, 'alert' | 'action'>): void {
    for (const [name, { wants }] of this.on) {
      const deviceAction = wants.get(output);
      if (deviceAction)
        deviceAction.over = name !== alert || (deviceAction.over && deviceAction.action !== action);
    }
  }
}

function deviceOf(output: string): string {
  return output.split('/')[0] ?? '';
}
