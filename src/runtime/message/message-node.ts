import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { asDeviceError, type DeviceError, wordsOf } from '../../client/errors';
import { onSettled } from '../device/registry';
import { publish } from './bus';
import type { Receipt } from './receipt';
import { errorStatus, StatusLine } from './status';

export type Send<Outgoing> = (message: Outgoing) => void;
export type Done = (error?: Error) => void;

/**
 * The base of each node with an input. A node implements `run` for one message, and `stop` for the end of its work.
 *
 * - `done` is called once for each message, with the error that `run` returns or throws. An exception of `done`
 *   goes to the log: Node-RED copies the message for Catch and Complete nodes, and throws if it cannot. No
 *   rejection reaches Node-RED, since an unhandled rejection would end the process.
 * - The node is closed when `stop` and all messages have ended. A closing node shows no status.
 * - The messages that the close has aborted are logged in one line: a full deploy has already removed the Catch
 *   nodes and the node's own log, so the messages would otherwise vanish without a trace.
 *
 * @typeParam Incoming the message, whose properties can have any type
 * @typeParam Outgoing the argument of `send`: a message, or an array with an entry for each output
 */
export abstract class MessageNode<Incoming extends NodeMessage, Outgoing> {
  protected readonly status: StatusLine;
  /** Number of reasons why the node cannot close yet: messages under way, calls of `enter`, and `stop`. */
  #count = 0;
  #onClosed: (() => void) | undefined;
  #endFollowing: (() => void) | undefined;
  #aborted: { count: number; readonly first: string } | undefined;

  /** @param place the place in the text of an error that is a fault of this package */
  constructor(
    protected readonly RED: NodeAPI,
    protected readonly node: Node,
    private readonly place?: string,
  ) {
    this.status = new StatusLine(node);
    node.on('input', (message, send, done) => {
      this.#count += 1;
      this.receive(message as Incoming, send as unknown as Send<Outgoing>, done, performance.now());
    });
    node.on('close', (isDeleted: boolean, closed: () => void) => void this.#close(isDeleted, closed));
  }

  /**
   * Does the work of one message, and sends the results.
   * @param since the time at which the message arrived, in milliseconds on the monotonic clock
   * @returns the error of a message that has failed and might have results; a rejection is an error, too
   */
  protected abstract run(
    message: Incoming,
    send: Send<Outgoing>,
    since: number,
  ): Promise<DeviceError | undefined>;

  /**
   * Called once, when the node closes. Must let each message under way end soon.
   * @param isDeleted whether the node was deleted, not only deployed again
   * @returns a promise if more than the messages must end before the node is closed
   */
  protected abstract stop(isDeleted: boolean): unknown;

  /** Called when `stop` and all messages have ended. */
  protected onStopped(): void {}

  /** Starts a message. A node can override this method to call `handle` later. */
  protected receive(message: Incoming, send: Send<Outgoing>, done: Done, since: number): void {
    void this.handle(message, send, done, since);
  }

  /** Carries a message to its end. Never rejects. */
  protected async handle(message: Incoming, send: Send<Outgoing>, done: Done, since: number): Promise<void> {
    let error: DeviceError | undefined;
    try {
      error = await this.run(message, send, since);
    } catch (fault) {
      error = this.errorOf(fault);
    }
    if (error && this.#onClosed) this.#countAborted(error);
    try {
      done(error);
    } catch (fault) {
      this.log(`${error ? wordsOf(error) : 'done'}; ${wordsOf(fault)}`);
    }
    this.leave();
  }

  /** Converts an exception into the error of its message, and shows the error. */
  protected errorOf(fault: unknown): DeviceError {
    const error = asDeviceError(fault, this.place);
    try {
      this.showError(error);
    } catch (another) {
      this.log(wordsOf(another));
    }
    return error;
  }

  protected showError(error: DeviceError): void {
    this.status.show(() => errorStatus(this.RED._, error));
  }

  protected get isClosing(): boolean {
    return this.#onClosed !== undefined;
  }

  /** Keeps the node from being closed until `leave` is called, for work without a message. */
  protected enter(): void {
    this.#count += 1;
  }

  protected leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onClosed?.();
  }

  /** Calls `follow` after each deploy, since a deploy can change devices and groups without this node. */
  protected followDeploys(follow: () => void): void {
    this.#endFollowing = onSettled(this.RED, () => {
      try {
        follow();
      } catch (fault) {
        this.log(wordsOf(fault));
      }
    });
  }

  /** Announces a receipt to the nodes that listen to all receipts. */
  protected publish(receipt: Receipt): void {
    const { id, name } = this.node;
    publish(receipt, { node: name || id, nodeId: id }, (fault) => this.log(wordsOf(fault)));
  }

  protected log(line: string): void {
    const { id, name, type } = this.node;
    this.RED.log.error(`[${type}:${name || id}] ${line}`);
  }

  async #close(isDeleted: boolean, closed: () => void): Promise<void> {
    this.#onClosed = () => {
      this.#logAborted();
      this.onStopped();
      closed();
    };
    this.status.clear();
    this.#endFollowing?.();
    this.enter();
    try {
      await this.stop(isDeleted);
    } catch (fault) {
      this.log(wordsOf(fault));
    }
    this.leave();
  }

  #countAborted({ code, message }: DeviceError): void {
    if (code !== 'ABORTED') return;
    this.#aborted ??= { count: 0, first: message };
    this.#aborted.count += 1;
  }

  #logAborted(): void {
    if (!this.#aborted) return;
    const { count, first } = this.#aborted;
    this.#aborted = undefined;
    this.log(count === 1 ? first : `${count} messages were aborted; the first: ${first}`);
  }
}
