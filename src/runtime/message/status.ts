import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, NodeStatus } from 'node-red';
import { translated } from '../../catalogue/translated';
import type { DeviceError } from '../../client/errors';
import { type Clock, realClock } from '../../kernel/time/clock';
import { isHeldBack, type Receipt, succeeded } from './receipt';

export type Translate = (key: string, values?: Record<string, string>) => string;

const maxNameLength = 18;

export function sendingStatus(translate: Translate, operationId: string): NodeStatus {
  const operation = operationId.slice(0, maxNameLength);
  return { fill: 'blue', shape: 'dot', text: translate('status.sending', { operation }) };
}

export function countStatus(translate: Translate, ended: number, all: number): NodeStatus {
  const text = translate('status.underWay', { ended: String(ended), all: String(all) });
  return { fill: 'blue', shape: 'dot', text };
}

export function progressStatus(text: string): NodeStatus {
  return { fill: 'blue', shape: 'dot', text };
}

export function idleStatus(text: string): NodeStatus {
  return { fill: 'grey', shape: 'ring', text };
}

export interface DoneMessage {
  readonly receipts: readonly Receipt[];
  readonly error: DeviceError | undefined;
  readonly at: Date;
  readonly acceptedKey?: string | undefined;
}

export function doneStatus(translate: Translate, done: DoneMessage): NodeStatus {
  const isHeld = done.receipts.length > 0 && done.receipts.every(isHeldBack);
  const shown = done.error
    ? ({ fill: 'red', shape: 'ring' } as const)
    : isHeld
      ? ({ fill: 'yellow', shape: 'ring' } as const)
      : ({ fill: 'green', shape: 'dot' } as const);
  // The time shows that a result is new, even if its text is the same as before.
  const time = done.at.toTimeString().slice(0, 8);
  return { ...shown, text: `${doneWords(translate, done)} ${time}` };
}

function doneWords(translate: Translate, { receipts, error, acceptedKey }: DoneMessage): string {
  if (receipts.length > 1) {
    const ended = receipts.filter(succeeded).length;
    const counts = { done: String(ended), all: String(receipts.length) };
    return translate('status.several', counts);
  }
  const outcome = receipts[0]?.outcome ?? 'accepted';
  if (error && outcome === 'unknown')
    return `${translate('status.unknown')} (${reasonWords(translate, error)})`;
  if (error) return reasonWords(translate, error);
  return translate((outcome !== 'skipped' && acceptedKey) || `status.${outcome}`);
}

/** Returns the reason of an error in the language of Node-RED. */
export function reasonWords(translate: Translate, error: DeviceError): string {
  return reasonIn(translate('status.language'), error);
}

type Texts = Readonly<Record<string, string>>;

const textsOfLanguages = new Map<string, Texts | undefined>();

/**
 * Returns the reason of an error in the language of Node-RED; in English if that language lacks the reason.
 * @param language a language of `locales`; any other text means English
 */
function reasonIn(language: string, { fault, reason }: Pick<DeviceError, 'fault' | 'reason'>): string {
  const texts = textsIn(language);
  if (!texts) return reason;
  const text = (phrase: string) => (Object.hasOwn(texts, phrase) ? texts[phrase] : undefined);
  return translated(fault.reason, { text }) ?? reason;
}

/** The build writes the texts of each language but English to `resources`, where the editor gets them too. */
function textsIn(language: string): Texts | undefined {
  if (!/^[a-z]{2}$/.test(language)) return undefined;
  if (!textsOfLanguages.has(language)) textsOfLanguages.set(language, read(language));
  return textsOfLanguages.get(language);
}

function read(language: string): Texts | undefined {
  const folder = path.resolve(__dirname, '../../../../resources');
  try {
    return JSON.parse(readFileSync(path.join(folder, `algo-sentences-${language}.json`), 'utf8')) as Texts;
  } catch {
    return undefined;
  }
}

export function errorStatus(translate: Translate, error: DeviceError): NodeStatus {
  return { fill: 'red', shape: 'ring', text: reasonWords(translate, error) };
}

/** The status of a node that is not set up, before its first message. */
export function unsetStatus(translate: Translate): NodeStatus {
  return { fill: 'red', shape: 'ring', text: translate('status.NOT_CONFIGURED') };
}

/** Maximum number of statuses of a node in one second, since each status goes to every open editor. */
const maxPerSecond = 4;
const secondMs = 1_000;

type Status = () => NodeStatus;

export class StatusLine {
  #shownAt: readonly number[] = [];
  #latest: Status | undefined;
  #cancelTimer: (() => void) | undefined;
  #dueAt = 0;
  #isClosed = false;

  constructor(
    private readonly node: Pick<Node, 'status'>,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  show(status: Status): void {
    this.#showWithin(status, maxPerSecond);
  }

  /** Shows the progress of a message, at most half as often as `maxPerSecond` allows. */
  showPassing(status: Status): void {
    this.#showWithin(status, maxPerSecond / 2);
  }

  /** Clears the status for good, at the close of the node. */
  clear(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#latest = undefined;
    this.node.status({});
  }

  #showWithin(status: Status, max: number): void {
    if (this.#isClosed) return;
    this.#latest = status;
    const now = this.clock.monotonic();
    const dueAt = Math.max(now, (this.#shownAt.at(-max) ?? Number.NEGATIVE_INFINITY) + secondMs);
    // The timer is already set for this or an earlier time.
    if (this.#cancelTimer && this.#dueAt <= dueAt) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dueAt = dueAt;
    if (dueAt === now) this.#showLatest();
    else this.#cancelTimer = this.clock.after(dueAt - now, () => this.#showLatest());
  }

  #showLatest(): void {
    this.#cancelTimer = undefined;
    const status = this.#latest;
    if (!status) return;
    // Frees the function, which holds a reference to its message with all targets and parameters.
    this.#latest = undefined;
    this.#shownAt = [...this.#shownAt.slice(1 - maxPerSecond), this.clock.monotonic()];
    this.node.status(status());
  }
}
