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
  /** Whether the start is sent in the place of a stop. */
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
  /**
   * By place: the starts of which one is there, or may be. Each but the first had no answer, so that the ones before may
   * be there instead.
   */
  readonly there = new Map<string, readonly There[]>();
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
   * then the alert that was started last. An action that the device rejected owns nothing, unless an earlier start of the
   * alert may be there.
   */
  owner(output: string): string | undefined {
    return this.#first(output, (name, want) => !isRejected(want) || this.#mayHave(name, output));
  }

  #first(output: string, isMeant: (name: string, want: Want | undefined) => boolean): string | undefined {
    const there = [...this.on].filter(
      ([name, { wants }]) => wants.has(output) && isMeant(name, wants.get(output)),
    );
    const rank = ([, { drill, priority, order }]: [string, On]) => [drill ? 0 : 1, priority, order];
    const byRank = (a: [string, On], b: [string, On]) => {
      const [one, other] = [rank(a), rank(b)];
      return one.map((value, index) => (other[index] ?? 0) - value).find((by) => by !== 0) ?? 0;
    };
    return there.sort(byRank)[0]?.[0];
  }

  #mayHave(name: string, output: string): boolean {
    return this.#startsAt(output).at(-1)?.alert === name;
  }

  #startsAt(output: string): readonly There[] {
    return this.there.get(output) ?? [];
  }

  #wantOf(name: string | undefined, output: string): Want | undefined {
    return this.on.get(name ?? '')?.wants.get(output);
  }

  /** The last start that has to be ended. */
  lasting(output: string): There | undefined {
    return this.#startsAt(output).findLast(({ lasting }) => lasting);
  }

  /**
   * Returns the next request at an output, if there is one: a stop, or the start of an alert, either in the place of a
   * stop or again. A start that lasts until its stop is stopped before it is sent again.
   */
  next(output: string): string | undefined {
    const [last, owner] = [this.lasting(output), this.owner(output)];
    const [own, wanted] = [this.#wantOf(owner, output), this.#wantOf(last?.alert, output)];
    if (own?.over && own.lasting) return `return ${owner}`;
    if (last && !wanted) return 'end';
    if (last && this.#isDoubted(output)) {
      // A start that the device rejects replaces nothing.
      if (last.steady || isRejected(wanted)) return 'end';
      if (last.alert === owner) return `return ${owner}`;
    }
    // A start that the device rejects is sent again while no other alert owns the output.
    const name = owner ?? this.#first(output, () => true);
    const want = this.#wantOf(name, output);
    if (!want || !isRetried(want, this.on.get(name ?? '')?.retry)) return undefined;
    const isEndedFirst = last?.alert === name && last?.steady && want.problem !== 'refused';
    return isEndedFirst ? 'end' : `again ${name}`;
  }

  /**
   * Whether an end may be sent: where one has to be, or where all that is on its way is wanted no more. What an alert
   * still wants and has asked for would be ended with it.
   */
  mayEnd(output: string): boolean {
    const asked = this.asked.get(output) ?? [];
    if (asked.some(({ alert }) => this.#wantOf(alert, output))) return false;
    const [next, owner] = [this.next(output), this.owner(output)];
    const mayHave = owner !== undefined && this.#mayHave(owner, output);
    return (
      next === 'end' || (asked.some(({ lasting }) => lasting) && !next?.startsWith('return') && !mayHave)
    );
  }

  /**
   * Whether the start of a cleared alert may be there, since the last one had no answer. That is heeded where the last
   * one may be sent again.
   */
  #isDoubted(output: string): boolean {
    const last = this.lasting(output);
    if (!last?.steady && !(last?.repeatable && last.retry !== 'never')) return false;
    return this.#startsAt(output).some(({ alert, lasting }) => lasting && !this.#wantOf(alert, output));
  }

  /** Devices where an action's last receipt is unknown, or that it failed; what is held back is neither. */
  withProblem(name: string, what: 'unknown' | 'failed'): string[] {
    const { wants = [], failed = [] } = this.on.get(name) ?? {};
    const own = [...wants].filter(([output, { problem }]) => {
      if (!problem || (this.owner(output) ?? name) !== name) return false;
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
      const hasProblem = wants.get(output)?.problem && (this.owner(output) ?? name) === name;
      if (hasProblem || this.#startsAt(output).at(-1)?.alert !== name) dark.push(deviceOf(output));
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
    const want = this.#wantOf(alert, output);
    if (want) Object.assign(want, { left: false, over: false });
    const start = { alert, ...deviceAction, comesBack, count: this.#count };
    this.asked.set(output, [...(this.asked.get(output) ?? []), start]);
  }

  /** What came of the first start that was asked for at a place. */
  answered(output: string, result: ModelResult): void {
    const [start, ...others] = this.asked.get(output) ?? [];
    if (!start) throw new Error(`nothing was asked for at ${output}`);
    this.asked.set(output, others);
    const { alert, action, lasting, comesBack } = start;
    const want = this.#wantOf(alert, output);
    const own = want?.action === action ? want : undefined;
    if (own) own.problem = result === 'taken' || result === 'skipped' ? undefined : result;
    if (result === 'taken' || result === 'unknown') {
      const isSure = result === 'taken';
      // What may not have begun ends nothing that lasts.
      const mayBe = (one: There) => one.lasting && (one.alert !== alert || !lasting);
      const before = isSure ? [] : this.#startsAt(output).filter(mayBe);
      this.there.set(output, [...before.map((one) => ({ ...one, isSure })), { ...start, isSure }]);
      this.#putOver(output, start);
      this.#forget(alert);
    } else if (comesBack && result === 'missed' && own && isRetried(own, this.on.get(alert)?.retry)) {
      own.over = true;
    } else if (!this.#mayHave(alert, output) && !others.some((other) => other.alert === alert)) {
      if (!want || want.over || isRetried(want, this.on.get(alert)?.retry)) return;
      this.#drop(alert, output, result);
    }
  }

  clear(name: string): void {
    this.on.delete(name);
    this.#forget(name);
  }

  /** What ends by itself is of no interest once its alert is over. */
  #forget(name: string): void {
    for (const [output, starts] of this.there) {
      const isLeft = ({ alert, lasting }: There) => lasting || alert !== name || this.#wantOf(name, output);
      this.#put(output, starts.filter(isLeft));
    }
  }

  #put(output: string, starts: readonly There[]): void {
    if (starts.length > 0) this.there.set(output, starts);
    else this.there.delete(output);
  }

  /** An end was taken that was meant for an alert. What others have there, or may have, is over with it, and comes back. */
  ended(output: string, name: string): void {
    for (const { alert } of this.#startsAt(output)) {
      const want = this.#wantOf(alert, output);
      if (want && alert !== name) want.over = true;
    }
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
    this.#put(
      output,
      this.#startsAt(output).map((start) => ({ ...start, isSure: false })),
    );
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
    for (const [output, starts] of were) {
      const last = starts.at(-1);
      if (!last) continue;
      const now = to(output, last.by);
      const others = this.#startsAt(now);
      gone.set(output, now);
      const device = deviceOf(output);
      const isSure = others.length === 0 && now === output;
      const moved = starts.map((start) => ({
        ...start,
        by: leads(start.by, device) === deviceOf(now) ? start.by : last.by,
      }));
      const left = countOf(others) > last.count ? others : moved;
      this.#put(
        now,
        left.map((start) => ({ ...start, isSure: start.isSure && isSure })),
      );
    }
    for (const [name, { wants }] of this.on) {
      const had = [...wants];
      wants.clear();
      for (const [output, deviceAction] of had) {
        const last = were.find(([where]) => where === output)?.[1].at(-1);
        const is = last?.alert === name ? last : undefined;
        const now = to(output, (is ?? deviceAction).by);
        const by =
          leads(deviceAction.by, output.split('/')[0] ?? '') === now.split('/')[0]
            ? deviceAction.by
            : (is ?? deviceAction).by;
        if ((wants.get(now)?.count ?? 0) < deviceAction.count) wants.set(now, { ...deviceAction, by });
      }
    }
    for (const [output, starts] of this.there) {
      const last = starts.at(-1);
      if (last && (from.get(output)?.size ?? 0) > 1) this.#putOver(output, last);
    }
    for (const [output, starts] of were) {
      const now = gone.get(output) ?? output;
      if (countOf(this.#startsAt(now)) !== countOf(starts)) gone.set(output, undefined);
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

function countOf(starts: readonly There[]): number {
  return starts.at(-1)?.count ?? 0;
}

/** Whether the device has said that it does not do what an alert wants there. */
function isRejected(want: Want | undefined): boolean {
  return want?.problem === 'refused' || want?.problem === 'impossible';
}

function isRetried(
  { problem, left, lasting, retry, repeatable, steady }: Want,
  of: On['retry'] | undefined,
): boolean {
  if (!problem || problem === 'impossible' || left || !lasting) return false;
  return (
    (retry === 'always' ? Boolean(of) : retry === 'all' && of === 'all') &&
    (problem !== 'unknown' || repeatable || steady)
  );
}
