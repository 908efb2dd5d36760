import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { NodeStatus } from 'node-red';
import { StatusLine } from '../../../src/runtime/message/status';

/** What collects garbage now. */
function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc');
}

describe('the line under a node', () => {
  let time: number;
  let shown: [number, string][];
  let timers: { readonly at: number; readonly task: () => void }[];
  let line: StatusLine;

  beforeEach(() => {
    time = 5_000;
    shown = [];
    timers = [];
    const status = (given: string | NodeStatus) => void shown.push([time, (given as NodeStatus).text ?? '']);
    line = new StatusLine({ status } as never, {
      monotonic: () => time,
      after: (ms, task) => {
        const timer = { at: time + ms, task };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    });
  });

  const show = (text: string) => line.show(() => ({ text }));

  function advance(ms: number): void {
    for (const end = time + ms; time < end; time += 1) {
      for (const timer of timers.filter(({ at }) => at <= time)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.task();
      }
    }
  }

  it('lets go of what it has shown, which knows a whole message', async () => {
    const collect = collector();
    const shownOnce = (() => {
      const message = { text: 'x'.repeat(100_000) };
      line.show(() => ({ text: message.text.slice(0, 1) }));
      return new WeakRef(message);
    })();
    // What a weak reference leads to stays until the turn of the event loop has ended.
    await new Promise(setImmediate);
    collect();
    assert.equal(shown.length, 1);
    assert.ok(shownOnce.deref() === undefined, 'it keeps the message');
  });

  it('shows what comes slowly at once', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) {
      show(text);
      advance(300);
    }
    assert.deepEqual(
      shown.map(([at, text]) => [at - 5_000, text]),
      [0, 300, 600, 900, 1200, 1500].map((at, index) => [at, 'abcdef'[index]]),
    );
  });

  it('shows at most four a second of what comes fast, and always the last one', () => {
    const made: string[] = [];
    for (let count = 0; count < 3_000; count++) {
      line.show(() => {
        made.push(String(count));
        return { text: String(count) };
      });
      advance(1);
    }
    advance(1_000);
    for (const [at] of shown) {
      const within = shown.filter(([other]) => other >= at && other < at + 1_000);
      assert.ok(within.length <= 4, `${within.length} within a second`);
    }
    assert.ok(shown.length >= 12);
    assert.equal(shown.at(-1)?.[1], '2999');
    assert.equal(made.length, shown.length, 'words are made only for what is shown');
    assert.deepEqual(timers, []);
  });

  it('keeps room for how a message ends', () => {
    for (let percent = 0; percent < 100; percent += 10) line.showPassing(() => ({ text: `${percent} %` }));
    show('accepted');
    assert.deepEqual(
      shown.map(([, text]) => text),
      ['0 %', '10 %', 'accepted'],
    );
    assert.deepEqual(timers, []);
  });

  it('leaves nothing behind when it is cleared', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) show(text);
    assert.equal(timers.length, 1);
    line.clear();
    assert.deepEqual(timers, []);
    assert.equal(shown.at(-1)?.[1], '');
    advance(2_000);
    assert.equal(shown.length, 5);
  });
});
