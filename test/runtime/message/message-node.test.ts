import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { NodeMessage, NodeStatus } from 'node-red';
import { DeviceError } from '../../../src/client/errors';
import { MessageNode, type Send } from '../../../src/runtime/message/message-node';

type Run = (send: Send<NodeMessage>) => Promise<DeviceError | undefined>;

/** A node whose message has its own work in `run`. */
class Example extends MessageNode<NodeMessage & { run: Run }, NodeMessage> {
  readonly deleted: boolean[] = [];
  stops: () => unknown = () => {};

  protected run({ run }: { run: Run }, send: Send<NodeMessage>): Promise<DeviceError | undefined> {
    return run(send);
  }

  protected stop(isDeleted: boolean): unknown {
    this.deleted.push(isDeleted);
    return this.stops();
  }

  show(text: string): void {
    this.status.show(() => ({ text }));
  }
}

const aborted = (place: string) => new DeviceError('ABORTED', 'the node was closed', { place });
const later = () => new Promise(setImmediate);

describe('a node with an input', () => {
  let node: EventEmitter;
  let example: Example;
  let shown: (string | undefined)[];
  let logged: string[];
  let dones: unknown[];

  beforeEach(() => {
    [shown, logged, dones] = [[], [], []];
    const status = ({ text }: NodeStatus) => shown.push(text);
    node = Object.assign(new EventEmitter(), { id: 'n1', name: 'Door', type: 'algo-example', status });
    const RED = { _: (key: string) => key, log: { error: (line: string) => logged.push(line) } };
    example = new Example(RED as never, node as never, 'example');
  });

  const send = (run: Run, done = (error?: Error) => void dones.push(error)) =>
    node.emit('input', { run }, () => {}, done);

  /** Returns whether the node is closed. */
  function close(isDeleted = false): { readonly is: boolean } {
    const closed = { is: false };
    node.emit('close', isDeleted, () => {
      assert.equal(closed.is, false, 'closed twice');
      closed.is = true;
    });
    return closed;
  }

  it('ends each message once: without an error, with the returned one, or with the thrown one', async () => {
    const error = new DeviceError('EXPIRED', 'too late');
    send(async () => undefined);
    send(async () => error);
    send(() => Promise.reject(error));
    await later();
    assert.deepEqual(dones, [undefined, error, error]);
    assert.deepEqual(logged, []);
  });

  it('calls any other exception a fault of this package, also one of a run that throws directly', async () => {
    send(() => {
      throw new TypeError('x is undefined');
    });
    await later();
    const [error] = dones as [DeviceError];
    assert.equal(error.code, 'PROTOCOL');
    assert.match(error.message, /example.*x is undefined|x is undefined.*example/);
    assert.deepEqual(shown, ['a fault in this package']);
  });

  it('logs an exception of `done`, and closes all the same', async () => {
    const fails = () => {
      throw new Error('no copy of this');
    };
    send(async () => undefined, fails);
    send(async () => aborted('example'), fails);
    await later();
    assert.deepEqual(logged, [
      '[algo-example:Door] done; no copy of this',
      `[algo-example:Door] ${aborted('example').message}; no copy of this`,
    ]);
    const closed = close();
    await later();
    assert.ok(closed.is);
  });

  it('is closed when its messages and its stop have ended', async () => {
    let [endMessage, endStop] = [() => {}, () => {}];
    send(() => new Promise((resolve) => (endMessage = () => resolve(undefined))));
    example.stops = () => new Promise<void>((resolve) => (endStop = resolve));
    const closed = close(true);
    assert.deepEqual(example.deleted, [true]);
    endStop();
    await later();
    assert.equal(closed.is, false);
    endMessage();
    await later();
    assert.ok(closed.is);
  });

  it('waits for a stop, whatever that throws', async () => {
    example.stops = () => Promise.reject(new Error('stuck'));
    const closed = close();
    assert.equal(closed.is, false);
    await later();
    assert.ok(closed.is);
    assert.deepEqual(logged, ['[algo-example:Door] stuck']);
  });

  it('counts the messages that a close aborts in one line, and no others', async () => {
    send(async () => aborted('before the close'));
    await later();
    const ends: ((error: DeviceError) => void)[] = [];
    for (const _ of [1, 2, 3]) send(() => new Promise((_resolve, reject) => ends.push(reject)));
    send(() => new Promise((resolve) => ends.push(resolve)));
    const [first, second, third, fourth] = ends;
    example.stops = () => {
      first?.(aborted('the first'));
      second?.(aborted('the second'));
      third?.(new DeviceError('EXPIRED', 'too late'));
      fourth?.(aborted('the fourth'));
    };
    const closed = close();
    await later();
    assert.ok(closed.is);
    assert.equal(dones.length, 5);
    const line = `3 messages were aborted; the first: ${aborted('the first').message}`;
    assert.deepEqual(logged, [`[algo-example:Door] ${line}`]);
  });

  it('logs the error itself if a close aborts one message', async () => {
    let end = (_: DeviceError) => {};
    send(() => new Promise((resolve) => (end = resolve)));
    example.stops = () => end(aborted('the only one'));
    close();
    await later();
    assert.deepEqual(logged, [`[algo-example:Door] ${aborted('the only one').message}`]);
  });

  it('clears its status at a close, and shows none any more', async () => {
    example.show('sending');
    let end = (_: Error) => {};
    send(() => new Promise((_resolve, reject) => (end = reject)));
    close();
    end(new Error('a fault'));
    example.show('done');
    await later();
    assert.deepEqual(shown, ['sending', undefined]);
  });
});
