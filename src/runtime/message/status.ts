import type { Node, NodeStatus } from 'node-red';
import { hasReason } from '../../catalogue/localized-message';
import type { DeviceError, ErrorCode } from '../../client/errors';
import { type Clock, realClock } from '../../time/clock';
import { type Receipt, succeeded } from './receipt';

/** Translates a key of the node's locale; `RED._` does. */
export type Translate = (key: string, values?: Record<string, string>) => string;

/** What of an operation's name fits under a node, with an ellipsis behind it. */
const maxNameLength = 18;

/** Under the node while requests are under way. */
export function sendingStatus(translate: Translate, operationId: string): NodeStatus {
  const operation = operationId.slice(0, maxNameLength);
  return { fill: 'blue', shape: 'dot', text: translate('status.sending', { operation }) };
}

/** Under the node while a message goes to many: how many of them have ended. */
export function countStatus(translate: Translate, ended: number, all: number): NodeStatus {
  const text = translate('status.underWay', { ended: String(ended), all: String(all) });
  return { fill: 'blue', shape: 'dot', text };
}

/** Under the node while something takes longer: how far it is. */
export function progressStatus(text: string): NodeStatus {
  return { fill: 'blue', shape: 'dot', text };
}

/** What a message came to, and when. */
export interface Done {
  readonly receipts: readonly Receipt[];
  readonly error: DeviceError | undefined;
  readonly at: Date;
  /** What is said of a yes, where it means something else. */
  readonly acceptedKey?: string | undefined;
  /** The parameter that was wrong, where it was one. */
  readonly wrongField?: string | undefined;
}

/** Under the node when a message is done: how it went in fewer than 20 characters, and when. */
export function doneStatus(translate: Translate, done: Done): NodeStatus {
  const shown = done.error
    ? ({ fill: 'red', shape: 'ring' } as const)
    : ({ fill: 'green', shape: 'dot' } as const);
  // With its time, here, so that the second of two messages can be told from the first.
  const time = [done.at.getHours(), done.at.getMinutes(), done.at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return { ...shown, text: `${doneWords(translate, done)} ${time}` };
}

function doneWords(translate: Translate, { receipts, error, acceptedKey, wrongField }: Done): string {
  if (receipts.length > 1) {
    const ended = receipts.filter(succeeded).length;
    const counts = { done: String(ended), all: String(receipts.length) };
    return translate('status.several', counts);
  }
  if (error?.code === 'INVALID_PARAMETER' && wrongField !== undefined) {
    return fitting(translate('status.wrongField', { field: wrongField }));
  }
  const key = error ? failureKey(error) : (receipts[0]?.outcome ?? 'accepted');
  return translate(error ? `status.${key}` : (acceptedKey ?? `status.${key}`));
}

/** Which of the short words for failures is meant. That of its code but where something plainer can be said. */
export function failureKey({ code, said }: DeviceError): string {
  return hasReason(said, 'wantsTls') ? 'wantsTls' : code;
}

/** The words under a node are shorter than this. */
const tooLong = 20;

function fitting(text: string): string {
  return text.length < tooLong ? text : `${text.slice(0, tooLong - 2)}…`;
}

/** Under the node when something is wrong: a short word for each error code. */
export function errorStatus(translate: Translate, code: ErrorCode): NodeStatus {
  return { fill: 'red', shape: 'ring', text: translate(`status.${code}`) };
}

/** Each status goes to every open editor, so a node shows no more than so many in a second. */
const maxPerSecond = 4;
const secondMs = 1_000;

/** Makes a status only when it is shown: its words have to be translated. */
type Status = () => NodeStatus;

/** The line under a node: always the latest status, at most four times a second however many come. */
export class StatusLine {
  /** When the last ones were shown, on the monotonic clock, oldest first. */
  #shownAt: readonly number[] = [];
  #latest: Status | undefined;
  #cancelTimer: (() => void) | undefined;
  /** When the timer shows the latest, on the monotonic clock. */
  #dueAt = 0;

  constructor(
    private readonly node: Pick<Node, 'status'>,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'> = realClock,
  ) {}

  /** Shows how a message ended, at once or as soon as it may, unless a later status comes before. */
  show(status: Status): void {
    this.#showWithin(status, maxPerSecond);
  }

  /** Shows how far a message is; half of what may be shown is kept for how it ends. */
  showPassing(status: Status): void {
    this.#showWithin(status, maxPerSecond / 2);
  }

  /** Takes the status away. Nothing is shown afterwards, and no timer is left. */
  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#latest = undefined;
    this.node.status({});
  }

  #showWithin(status: Status, max: number): void {
    this.#latest = status;
    const now = this.clock.monotonic();
    const dueAt = Math.max(now, (this.#shownAt.at(-max) ?? Number.NEGATIVE_INFINITY) + secondMs);
    // At full rate a timer that is set already will do.
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
    // It knows its message, with all its targets and what it sent.
    this.#latest = undefined;
    this.#shownAt = [...this.#shownAt.slice(1 - maxPerSecond), this.clock.monotonic()];
    this.node.status(status());
  }
}
