import assert from 'node:assert/strict';
import { IgnoredLog } from '../../../src/runtime/sites/logs';

describe('the log of what counts as not said', () => {
  it('has a line at once, and one a minute for all that comes then', () => {
    const lines: string[] = [];
    let now = 0;
    let ring: (() => void) | undefined;
    let waitMs = 0;
    const log = new IgnoredLog((line) => lines.push(line), {
      monotonic: () => now,
      after: (ms, task) => {
        waitMs = ms;
        ring = task;
        return () => {
          ring = undefined;
        };
      },
    });
    log.record('algo/v2/north/state/a', 'twice');
    assert.deepEqual(lines, []);
    for (let count = 0; count < 1_000; count += 1) log.record(`algo/v2/north/job/${count}\n`, 'wrong');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /job\/0\\n": its signature does not match this key/);
    assert.equal(waitMs, 60_000);
    now = 60_000;
    ring?.();
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /job\/999.*998 more before it/);
    log.close();
    assert.equal(lines.length, 2);
  });
});
