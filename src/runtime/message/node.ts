import { localized } from '../../catalogue/localized-message';
import { memoizeTranslate } from '../../catalogue/memoize-translate';
import type { Operation } from '../../catalogue/operation';
import type { DeviceError } from '../../client/errors';
import { Failure } from '../../client/failure';
import { isEmpty } from '../../kernel/property';
import type { Open } from '../lazy';
import { burst } from './burst';
import { emitOperation } from './bus';
import { type ActionMessage, type ActionNode, type ActionProperties, operationOf } from './command';
import type { Delivery } from './delivery';
import { fanOut, type TargetResult } from './fan-out';
import type { Kind } from './kinds';
import { type Done, MessageNode, type Send } from './message-node';
import { abortAtClose } from './opening-starts';
import { mayBeReadLater } from './parameters';
import { asOne, asSplit, type Result } from './receipt';
import {
  countStatus,
  doneStatus,
  idleStatus,
  progressStatus,
  sendingStatus,
  type Translate,
  unsetStatus,
} from './status';

export function actionNode(kind: Kind): Open<ActionProperties> {
  const words = memoizeTranslate(kind.RED._);
  return (node, properties) => {
    const progress = (text: string) => messages.showProgress(text);
    const action = { ...kind, node, properties, progress, onDone: emitOperation };
    const messages = new Messages(action, words);
  };
}

class Messages extends MessageNode<ActionMessage, ActionMessage> {
  #underWay: Set<Delivery> | undefined;
  /** Returns how many targets of the last rolling message have ended; undefined while nothing is rolling. */
  #count: (() => string) | undefined;
  readonly #asked: Operation | undefined;
  readonly #isReadableLater: boolean;

  constructor(
    private readonly action: ActionNode,
    private readonly words: Translate,
  ) {
    const { RED, node, properties, group } = action;
    super(RED, node, group.resource);
    this.#asked = operationOf(action);
    this.#isReadableLater = mayBeReadLater(properties);
    if ((properties.target || 'device') === 'device' && !properties.device) {
      this.status.show(() => unsetStatus(words));
    }
  }

  showProgress(text: string): void {
    const count = this.#count?.();
    this.status.showPassing(() => progressStatus(count === undefined ? text : `${count}: ${text}`));
  }

  protected override receive(
    message: ActionMessage,
    send: Send<ActionMessage>,
    done: Done,
    since: number,
  ): void {
    const begin = () => void this.handle(message, send, done, since);
    const operation = this.#asked ?? this.#askedBy(message);
    // In a burst, a message waits for its slice, unless the message is urgent or reads the context
    // (`burst.ts`).
    if (this.#isReadableLater && !operation?.urgent) burst.enter(operation, begin);
    else begin();
  }

  /**
   * Ends the rolling messages: what is under way goes on, and the targets that wait are not tried.
   * @returns whether there was a rolling message
   */
  #endRolling(): boolean {
    const rolling = [...(this.#underWay ?? [])].filter(({ command }) => command.options.rolling);
    for (const delivery of rolling.filter(({ isBegun }) => !isBegun)) {
      delivery.endIfSuperseded();
      delivery.abort.abort(Failure.own('ABORTED', localized('endedByReset')));
    }
    return rolling.length > 0;
  }

  #askedBy(message: ActionMessage): Operation | undefined {
    try {
      return operationOf(this.action, message);
    } catch {
      return undefined;
    }
  }

  protected async run(
    message: ActionMessage,
    send: Send<ActionMessage>,
    since: number,
  ): Promise<DeviceError | undefined> {
    if (message.reset === true && !isEmpty(this.action.properties.rolling)) {
      if (!this.#endRolling()) this.status.show(() => idleStatus(this.words('status.nothingToEnd')));
      return undefined;
    }
    const { RED, hooks } = this.action;
    const { words } = this;
    let ended = 0;
    const onTargetEnd = (targetResult: TargetResult) => {
      ended += 1;
      this.publish(targetResult.receipt);
      outgoing.onTargetEnd(targetResult);
      if (count) this.status.showPassing(() => progressStatus(count()));
      else if (length > 1) this.status.showPassing(() => countStatus(words, ended, length));
    };
    const { command, deliveries, result } = fanOut(this.action, message, { onTargetEnd, since });
    const { length } = deliveries;
    const outgoing = command.options.split ? asSplit(RED, message, length, send) : asOne(message, send);
    const id = command.operation?.id ?? '';
    this.#underWay ??= new Set();
    for (const delivery of deliveries) this.#underWay.add(delivery);
    const count = command.options.rolling && (() => `${ended}/${length}`);
    this.#count = count ?? this.#count;
    this.status.showPassing(() => (count ? progressStatus(count()) : sendingStatus(words, id)));
    let outcome: Result;
    try {
      outcome = await result;
    } finally {
      if (this.#count === count) this.#count = undefined;
      for (const delivery of deliveries) this.#underWay.delete(delivery);
    }
    const error = outgoing.finish(outcome);
    const { receipts } = outcome;
    const done = { receipts, error, at: new Date(), acceptedKey: hooks.acceptedStatus?.[id] };
    this.status.show(() => doneStatus(words, done));
    return error;
  }

  protected stop(): void {
    burst.beginBefore();
    for (const delivery of this.#underWay ?? []) abortAtClose(delivery);
  }
}
