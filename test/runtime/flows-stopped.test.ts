import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { NodeAPI } from 'node-red';
import { lastSent, onStopForGood, warnOfUnsent } from '../../src/runtime/flows-stopped';
import { VirtualClock } from '../fixtures/virtual-clock';

function place(runtimeFlowState: string) {
  const events = new EventEmitter();
  const settings = { userDir: `stopped ${runtimeFlowState}`, get: () => runtimeFlowState };
  return { events, settings } as unknown as NodeAPI;
}

describe('what is sent before a user stops the flows', () => {
  it('keeps devices until it is over, and for 10 s at most', async () => {
    const [RED, clock] = [place('stop'), new VirtualClock()];
    const over: (() => void)[] = [];
    onStopForGood(RED, () => new Promise<void>((resolve) => over.push(resolve)), clock.after);
    onStopForGood(RED, () => undefined, clock.after);
    assert.equal(lastSent(RED), undefined);
    RED.events.emit('flows:stopping', { type: 'full' });
    const first = lastSent(RED);
    over[0]?.();
    await first;
    assert.deepEqual([lastSent(RED), clock.pending], [undefined, 0]);
    RED.events.emit('flows:stopping', { type: 'full' });
    const second = lastSent(RED);
    clock.advance(9_999);
    assert.equal(clock.pending, 1);
    clock.advance(1);
    await second;
    assert.equal(lastSent(RED), undefined);
  });

  it('is not sent when some of the flows stop, or Node-RED does', () => {
    const all = place('start');
    onStopForGood(all, () => assert.fail());
    all.events.emit('flows:stopping', { type: 'full' });
    const some = place('stop');
    onStopForGood(some, () => assert.fail());
    some.events.emit('flows:stopping', { type: 'nodes' });
  });

  it('is named in one line where it was not sent', () => {
    const lines: unknown[] = [];
    const log = { warn: (line: unknown) => lines.push(line) } as unknown as NodeAPI['log'];
    warnOfUnsent({ log }, []);
    assert.deepEqual(lines, []);
    warnOfUnsent(
      { log },
      [...Array(52)].map((_, index) => `door ${index}`),
    );
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]), /does not send: door 0, .*, door 49 and 2 more$/);
  });
});
