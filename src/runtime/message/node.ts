import { memoizeTranslate } from '../../catalogue/memoize-translate';
import type { Operation } from '../../catalogue/operation';
import type { DeviceError } from '../../client/errors';
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
    this.status.showPassing(() => progressStatus(text));
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
    if (this.#isReadableLater && !operation?.urgent) burst.enter(since, operation, begin);
    else begin();
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
    const { RED, hooks } = this.action;
    const { words } = this;
    let ended = 0;
    const onTargetEnd = (targetResult: TargetResult) => {
      ended += 1;
      this.publish(targetResult.receipt);
      outgoing.onTargetEnd(targetResult);
      if (length > 1) this.status.showPassing(() => countStatus(words, ended, length));
    };
    const { command, deliveries, result } = fanOut(this.action, message, { onTargetEnd, since });
    const { length } = deliveries;
    const outgoing = command.options.split ? asSplit(RED, message, length, send) : asOne(message, send);
    const id = command.operation?.id ?? '';
    this.#underWay ??= new Set();
    for (const delivery of deliveries) this.#underWay.add(delivery);
    this.status.showPassing(() => sendingStatus(words, id));
    let outcome: Result;
    try {
      outcome = await result;
    } finally {
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
