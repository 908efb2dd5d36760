import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { deviceById } from '../../src/runtime/device/registry';
import { burst } from '../../src/runtime/message/burst';
import { madeBy } from '../counted/counts';
import { flowOf, type NodeConfig, startFlow, stopFlow, type TestMessage } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { door, local } from './door';
import { SlowToClose } from './slow-to-close';

/** What a flow was told of its messages, by their tickets. */
class Answers {
  readonly codes: (string | undefined)[] = [];
  readonly dones: number[] = [];
  #ended = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #onEnough = () => {};

  constructor() {
    helper.getNode('caught').on('input', (message: TestMessage) => {
      assert.equal(message.receipts?.length, 1);
      this.#note(message, message.error?.code);
    });
    helper.getNode('completed').on('input', (message: TestMessage) => this.#note(message, 'none'));
  }

  count(code: string): number {
    return this.codes.filter((one) => one === code).length;
  }

  /** Resolves when so many have ended. */
  ended(wanted: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = wanted;
      this.#onEnough = resolve;
      if (this.#ended >= wanted) resolve();
    });
  }

  #note(message: TestMessage, code: string | undefined): void {
    const ticket = Number(message.ticket);
    this.codes[ticket] = code;
    this.dones[ticket] = (this.dones[ticket] ?? 0) + 1;
    this.#ended += 1;
    if (this.#ended >= this.#wanted) this.#onEnough();
  }
}

describe('three thousand messages for a device that a deploy has closed', () => {
  const most = 3_000;
  const lag: NodeConfig = { id: 'lag', type: 'slow-to-close', operation: 'none', n: 0 };
  const toGate = door('lock', local, { target: 'msg', device: '' });
  // On a busy machine a flood takes longer than the minute for which an unlock may wait.
  const open = door('unlock', local, { id: 'open', target: 'msg', device: '', ttl: '3600' });
  let slow: SlowToClose;
  let server: Server;
  let gate: NodeConfig;
  let heard: string[];
  let deploying: Promise<unknown> | undefined;
  let answers: Answers;

  beforeEach(async () => {
    slow = new SlowToClose();
    heard = [];
    server = createServer((request, response) => {
      heard.push(String(request.url));
      request.resume().on('end', () => response.end());
    });
    const address = `http://${await listen(server)}`;
    gate = { id: 'gate', type: 'algo-device', name: 'Gate', address, auth: 'none', letDeviceDecide: true };
    gate.queueLimit = 100;
  });

  afterEach(async () => {
    slow.letGo();
    await deploying;
    await stopFlow();
    await end(server);
  });

  /** A deploy has closed the device and not yet put another one in its place. */
  async function close(changed: readonly NodeConfig[]): Promise<void> {
    await startFlow([gate, toGate, open, lag], {}, [slow.register]);
    const closing = slow.closing();
    deploying = redeploy(flowOf([...changed, toGate, open, { ...lag, n: 1 }]));
    await closing;
    answers = new Answers();
  }

  function send(id: string, from: number, to: number): void {
    for (let ticket = from; ticket < to; ticket += 1) {
      helper.getNode(id).receive({ ticket, device: 'Gate' } as NodeMessage);
    }
  }

  const areAnsweredOnce = () => assert.deepEqual(answers.dones, new Array(most).fill(1));

  it('are refused at once where more wait than may, and the others are done by its successor', async () => {
    await close([{ ...gate, timeout: '9' }]);
    const few = await madeBy(async () => send('open', 0, 101));
    const more = await madeBy(async () => send('open', 101, most));
    await answers.ended(most - 101);
    assert.ok(deviceById('gate')?.isClosed, 'they were told before the successor came');
    assert.equal(answers.count('QUEUE_FULL'), most - 101);
    // One for each that waits, and few for the node's status.
    assert.ok(few.timers >= 101 && more.timers < 10, `${few.timers} timers, then ${more.timers}`);
    assert.deepEqual(heard, []);
    slow.letGo();
    await answers.ended(most);
    areAnsweredOnce();
    assert.deepEqual(answers.codes.slice(0, 101), new Array(101).fill('none'));
    assert.equal(heard.length, 101);
  });

  it('are urgent ones all done, in no more steps each than fewer take', async () => {
    await close([{ ...gate, timeout: '9' }]);
    const few = await madeBy(async () => send('door', 0, most / 10));
    const many = await madeBy(async () => send('door', most / 10, most));
    assert.ok(few.promises > most / 10 && few.timers >= most / 10);
    assert.ok(many.promises <= 9.1 * few.promises, `${few.promises} promises, then ${many.promises}`);
    assert.ok(many.timers <= 9.1 * few.timers, `${few.timers} timers, then ${many.timers}`);
    slow.letGo();
    await answers.ended(most);
    areAnsweredOnce();
    assert.equal(heard.length, most - answers.count('SUPERSEDED'));
  });

  it('are each told when it was taken out', async () => {
    await close([{ ...gate, id: 'other', name: 'Other' }]);
    send('open', 0, most);
    await answers.ended(most);
    areAnsweredOnce();
    assert.equal(answers.count('NOT_CONFIGURED'), most);
    assert.deepEqual(heard, []);
  });

  it('are not more than the successor lets wait, and each of the others is told', async () => {
    await close([{ ...gate, queueLimit: 10, timeout: '120' }]);
    // They come to their places in slices: nobody leaves before the last of them is there.
    const isFull = answers.ended(most - 11);
    server.removeAllListeners('request');
    server.on('request', async ({ url }: IncomingMessage, response: ServerResponse) => {
      heard.push(String(url));
      await isFull;
      response.end();
    });
    send('open', 0, most);
    slow.letGo();
    await isFull;
    await answers.ended(most);
    areAnsweredOnce();
    assert.equal(answers.count('none'), 11);
    assert.equal(answers.count('QUEUE_FULL'), most - 11);
    assert.equal(heard.length, 11);
  });

  it('are each told when they wait there as the deploy comes', async () => {
    gate.queueLimit = most;
    await startFlow([gate, toGate, open]);
    answers = new Answers();
    const hanging = new Promise<void>((resolve) => {
      server.removeAllListeners('request');
      server.on('request', () => resolve());
    });
    send('open', 0, most);
    await hanging;
    // A slow machine begins few of them in each turn of the event loop: the deploy must not come before the last one.
    burst.beginBefore();
    deploying = redeploy(flowOf([{ ...gate, timeout: '9' }, toGate, open]));
    await answers.ended(most);
    areAnsweredOnce();
    assert.equal(answers.count('ABORTED'), most);
  });
});
