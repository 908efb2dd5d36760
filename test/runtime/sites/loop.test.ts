import assert from 'node:assert/strict';
import { Loop } from '../../../src/runtime/sites/loop';

describe('what a site must do', () => {
  const asleep = { wakeAt: () => Number.POSITIVE_INFINITY, tick: () => [] };

  it('carries out any number of actions together, each before the actions that it causes', () => {
    const done: number[] = [];
    const loop = new Loop<number>(
      asleep,
      (one) => {
        if (one === 0) loop.do([1, 2]);
        if (one !== 3) done.push(one);
      },
      assert.fail,
    );
    loop.do(new Array<number>(300_000).fill(3));
    loop.do([0, 4]);
    assert.deepEqual(done, [0, 4, 1, 2]);
  });

  it('goes on after an action that throws, which is logged', () => {
    const lines: string[] = [];
    const done: number[] = [];
    const carryOut = (one: number) => {
      if (one === 1) throw new Error('too much');
      done.push(one);
    };
    new Loop<number>(asleep, carryOut, (line) => lines.push(line)).do([0, 1, 2]);
    assert.deepEqual(done, [0, 2]);
    assert.match(lines.join(), /too much/);
  });
});
