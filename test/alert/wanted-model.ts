/*
The wanted state of outputs (docs/contract.md 2.6), on a page. An alert that is on wants its actions at their outputs. Of the
alerts that want something at an output, a real one goes before a drill, then the higher priority, then the later start:
that is the owner. An output is as the owner of a real alert wants it, once all devices answer and time has passed,
whatever other nodes, power cuts, lost answers and kills came between. Exceptions:
 1. Another node has stopped the output since, or has started something lasting there that it may start during alerts:
    the owner's action has ended, until it is started again. If its start had failed or had no answer until then, the
    alert may have given the output up, and another alert may own it.
 2. A door is not unlocked again where its start failed or has no answer, nor after its device was away.
No output is left on that no alert wants any more.
*/

/** The exceptions that hold for an alert's action at an output. */
interface Want {
  /** Exception 1. */
  hasEnded: boolean;
  /** Exception 2. */
  isDoubted: boolean;
}

interface On {
  readonly isDrill: boolean;
  readonly priority: number;
  readonly order: number;
  readonly wants: Map<string, Want>;
}

export class Model {
  readonly on = new Map<string, On>();
  #order = 0;

  start(name: string, isDrill: boolean, priority: number, outputs: readonly string[]): void {
    const before = this.on.get(name);
    if (isDrill && before && !before.isDrill) return;
    this.#order += 1;
    const wants = before?.wants ?? new Map<string, Want>();
    for (const output of outputs) wants.set(output, { hasEnded: false, isDoubted: false });
    this.on.set(name, { isDrill, priority, order: this.#order, wants });
  }

  clear(name: string): void {
    this.on.delete(name);
  }

  ownerOf(output: string): string | undefined {
    const rank = ({ isDrill, priority, order }: On) => [isDrill ? 0 : 1, priority, order];
    const byRank = ([, one]: [string, On], [, other]: [string, On]) => {
      const others = rank(other);
      return rank(one).reduce((found, value, index) => found || (others[index] ?? 0) - value, 0);
    };
    return [...this.on].filter(([, { wants }]) => wants.has(output)).sort(byRank)[0]?.[0];
  }

  /** Whether a start of another node, without leave to send during alerts, is held back; undefined if either is right. */
  holdsBack(output: string): boolean | undefined {
    if (this.#isOpen(output)) return undefined;
    const owner = this.on.get(this.ownerOf(output) ?? '');
    return owner?.isDrill === false && owner.wants.get(output)?.hasEnded === false;
  }

  /** Another node has stopped an output, or has started something lasting there. */
  others(output: string): void {
    for (const { wants } of this.on.values()) this.#set(wants, output, { hasEnded: true });
  }

  /** The start of an alert is sent. */
  sent(name: string, output: string): void {
    this.#set(this.on.get(name)?.wants, output, { hasEnded: false });
  }

  answered(name: string, output: string, isTaken: boolean): void {
    this.#set(this.on.get(name)?.wants, output, { isDoubted: !isTaken });
  }

  away(outputs: readonly string[]): void {
    for (const output of outputs)
      for (const { wants } of this.on.values()) this.#set(wants, output, { isDoubted: true });
  }

  /** The alert that has to be on at an output; `nobody`, or undefined if either is right. */
  wanted(output: string): string | undefined {
    const name = this.ownerOf(output);
    if (name === undefined) return 'nobody';
    const { isDrill = false, wants } = this.on.get(name) ?? {};
    return isDrill || this.#isOpen(output) || wants?.get(output)?.hasEnded ? undefined : name;
  }

  /** A door whose start failed may belong to the next alert, and so may what an alert may have given up. */
  #isOpen(output: string): boolean {
    const isOpen = ({ wants }: On) => {
      const want = wants.get(output);
      return want?.isDoubted === true && (want.hasEnded || output.endsWith('door'));
    };
    return [...this.on.values()].some(isOpen);
  }

  #set(wants: Map<string, Want> | undefined, output: string, change: Partial<Want>): void {
    const want = wants?.get(output);
    if (want) Object.assign(want, change);
  }
}
