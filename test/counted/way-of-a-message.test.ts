import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

interface Traced {
  readonly outcomes: readonly string[];
  /** Files of ours whose functions are entered, in that order. */
  readonly entered: readonly string[];
}

/** A room of the runtime, or another folder of `src`. */
function roomOf(file: string): string {
  const [folder = '', room = ''] = file.split('/');
  return folder === 'runtime' ? `runtime/${room}` : folder;
}

/** The files that a message enters, in order. The clock is read everywhere, and belongs to no step. */
async function filesOf(message: 'door' | 'alert', receipts: number): Promise<readonly string[]> {
  const program = path.join(__dirname, 'traced-message.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, message], { maxBuffer: 1 << 24 });
  const { outcomes, entered }: Traced = JSON.parse(stdout.slice(stdout.indexOf('{')));
  assert.deepEqual(outcomes, new Array(receipts).fill('accepted'));
  return entered.filter((file) => !file.startsWith('kernel/time/'));
}

function assertFiles(files: readonly string[], least: number, most: number): void {
  const count = new Set(files).size;
  assert.ok(count > least, `only ${count} files were traced`);
  assert.ok(count <= most, `${count} files: ${[...new Set(files)].join(', ')}`);
}

function assertRooms(files: readonly string[], most: number): void {
  const rooms = files.map(roomOf);
  const way = rooms.filter((room, index) => index === 0 || room !== rooms[index - 1]);
  assert.ok(way.length - 1 <= most, `${way.length - 1} changes: ${way.join(' > ')}`);
}

describe('the way of a message, counted', () => {
  let files: readonly string[];

  before(async () => {
    files = await filesOf('door', 1);
  });

  it('of `door/munlock` to a group of one device enters no more than 27 files', () => {
    assertFiles(files, 20, 27);
  });

  it('enters no more than 240 functions', () => {
    assert.ok(files.length <= 240, `${files.length} functions`);
  });

  it('changes rooms no more than 28 times', () => {
    assertRooms(files, 28);
  });
});

// The nine deliveries enter 30 of the files and change rooms 239 times, without the room of the alerts and its journal.
describe('the start of an alert with three actions at three devices, counted', () => {
  let files: readonly string[];

  before(async () => {
    files = await filesOf('alert', 9);
  });

  it('enters no more than 44 files', () => {
    assertFiles(files, 35, 44);
  });

  // 392 on a quiet machine; answers that come alone, and not together, are more.
  it('changes rooms no more than 430 times', () => {
    assertRooms(files, 430);
  });
});
