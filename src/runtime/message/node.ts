import { memoizeTranslate } from '../../catalogue/memoize-translate';
import type { Operation } from '../../catalogue/operation';
import { type DeviceError, faultError, wordsOf } from '../../client/errors';
import type { Open } from '../lazy';
import { AbortedLog } from './aborted-log';
import { burst } from './burst';
import { emitOperation, publish } from './bus';
import { type ActionMessage, type ActionNode, type ActionProperties, operationOf } from './command';
import type { Delivery } from './delivery';
import { fanOut, type TargetResult } from './fan-out';
import type { Kind } from './kinds';
import { abortAtClose } from './opening-starts';
import { mayBeReadLater } from './parameters';
import { asOne, asSplit, type Receipt, type Result } from './receipt';
import { RefusalLog } from './refusal-log';
import {
  countStatus,
  doneStatus,
  errorStatus,
  progressStatus,
  StatusLine,
  sendingStatus,
  type Translate,
  unsetStatus,
} from './status';

type Send = (message: ActionMessage) => void;
type Done = (error?: Error) => void;

export function actionNode(kind: Kind): Open<ActionProperties> {
  const words = memoizeTranslate(kind.RED._);
  return (node, definition) => {
    const progress = (text: string) => messages.showProgress(text);
    const action = { ...kind, node, properties: definition, progress, onDone: emitOperation };
    const messages = new Messages(action, words);
    node.on('input', (message, send, done) => messages.handle(message, send, done));
    node.on('close', (closed: () => void) => messages.close(closed));
  };
}

class Messages {
  #underWay: Set<Delivery> | undefined;
  readonly #status: StatusLine;
  #count = 0;
  #onClosed: (() => void) | undefined;
  #refusals: RefusalLog | undefined;
  #aborted: AbortedLog | undefined;
  readonly #asked: Operation | undefined;
  readonly #isReadableLater: boolean;

  constructor(
    private readonly action: ActionNode,
    private readonly words: Translate,
  ) {
    const { node, properties } = action;
    this.#status = new StatusLine(node);
    this.#asked = operationOf(action);
    this.#isReadableLater = mayBeReadLater(properties);
    if ((properties.target || 'device') === 'device' && !properties.device) {
      this.#status.show(() => unsetStatus(words));
    }
  }

  /**
   * Handles one message. Every error goes to `done` or to the log, since an unhandled rejection would end
   * Node-RED.
   */
  handle(message: ActionMessage, send: Send, done: Done): void {
    this.#count += 1;
    const since = performance.now();
    const begin = () => void this.#handleToEnd(message, send, done, since);
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

  async #handleToEnd(message: ActionMessage, send: Send, done: Done, since: number): Promise<void> {
    try {
      let error: DeviceError | undefined;
      try {
        error = await this.#handle(message, send, since);
      } catch (fault) {
        error = this.#faultOf(fault);
      }
      if (error?.code === 'QUEUE_FULL') {
        this.#refusals ??= new RefusalLog(this.action.node, (line) => this.#log(line));
        this.#refusals.end(() => this.#finish(done, error));
      } else this.#finish(done, error);
    } catch (fault) {
      this.#log(wordsOf(fault));
    }
  }

  close(closed: () => void): void {
    this.#onClosed = () => {
      this.#aborted?.flush();
      this.#refusals?.flush();
      this.#status.clear();
      closed();
    };
    burst.beginBefore();
    for (const delivery of this.#underWay ?? []) abortAtClose(delivery);
    if (this.#count === 0) this.#onClosed();
  }

  showProgress(text: string): void {
    if (!this.#onClosed) this.#status.showPassing(() => progressStatus(text));
  }

  async #handle(message: ActionMessage, send: Send, since: number): Promise<DeviceError | undefined> {
    const { RED, hooks } = this.action;
    const { words } = this;
    let ended = 0;
    const onTargetEnd = (targetResult: TargetResult) => {
      ended += 1;
      this.#publish(targetResult.receipt);
      outgoing.onTargetEnd(targetResult);
      if (length > 1 && !this.#onClosed) {
        this.#status.showPassing(() => countStatus(words, ended, length));
      }
    };
    const { command, deliveries, result } = fanOut(this.action, message, { onTargetEnd, since });
    const { length } = deliveries;
    const outgoing = command.options.split ? asSplit(RED, message, length, send) : asOne(message, send);
    const id = command.operation?.id ?? '';
    this.#underWay ??= new Set();
    for (const delivery of deliveries) this.#underWay.add(delivery);
    this.#status.showPassing(() => sendingStatus(words, id));
    let outcome: Result;
    try {
      outcome = await result;
    } finally {
      for (const delivery of deliveries) this.#underWay.delete(delivery);
    }
    const error = outgoing.finish(outcome);
    const { receipts } = outcome;
    const done = { receipts, error, at: new Date(), acceptedKey: hooks.acceptedStatus?.[id] };
    if (!this.#onClosed) this.#status.show(() => doneStatus(words, done));
    if (error?.code === 'ABORTED') {
      this.#aborted ??= new AbortedLog((line) => this.#log(line));
      this.#aborted.add(error);
    }
    return error;
  }

  #publish(receipt: Receipt): void {
    const { id, name } = this.action.node;
    publish(receipt, { node: name || id, nodeId: id }, (fault) => this.#log(wordsOf(fault)));
  }

  #faultOf(fault: unknown): DeviceError {
    const { group } = this.action;
    const error = faultError(fault, group.resource);
    this.#status.show(() => errorStatus(this.words, error));
    return error;
  }

  /**
   * Calls `done`. Node-RED copies the message for Catch and Complete nodes, and throws if the message cannot
   * be copied. This exception goes to the log.
   */
  #finish(done: Done, error: Error | undefined): void {
    try {
      done(error);
    } catch (fault) {
      this.#log(`${error ? wordsOf(error) : 'done'}; ${wordsOf(fault)}`);
    }
    this.#count -= 1;
    if (this.#count === 0) this.#onClosed?.();
  }

  #log(line: string): void {
    const { RED, node } = this.action;
    RED.log.error(`[${node.type}:${node.name || node.id}] ${line}`);
  }
}
