import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

interface Traced {
  readonly outcome: string;
  /** Files of ours whose functions are entered, in that order. */
  readonly entered: readonly string[];
}

/** A room of the runtime, or another folder of `src`. */
function roomOf(file: string): string {
  const [folder = '', room = ''] = file.split('/');
  return folder === 'runtime' ? `runtime/${room}` : folder;
}

describe('the way of a message, counted', () => {
  let files: readonly string[];

  before(async () => {
    const program = path.join(__dirname, 'traced-message.js');
    const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 1 << 24 });
    const { outcome, entered }: Traced = JSON.parse(stdout.slice(stdout.indexOf('{')));
    assert.equal(outcome, 'accepted');
    // The clock is read everywhere, and belongs to no step.
    files = entered.filter((file) => !file.startsWith('time/'));
  });

  it('of `door/munlock` to a group of one device enters no more than 35 files', () => {
    const count = new Set(files).size;
    assert.ok(count > 20, `only ${count} files were traced`);
    assert.ok(count <= 35, `${count} files: ${[...new Set(files)].join(', ')}`);
  });

  it('enters no more than 285 functions', () => {
    assert.ok(files.length <= 285, `${files.length} functions`);
  });

  // 33 times; a status that is shown directly, and not with a later one, is one more.
  it('changes rooms no more than 34 times', () => {
    const rooms = files.map(roomOf);
    const way = rooms.filter((room, index) => index === 0 || room !== rooms[index - 1]);
    assert.ok(way.length - 1 <= 34, `${way.length - 1} changes: ${way.join(' > ')}`);
  });
});
