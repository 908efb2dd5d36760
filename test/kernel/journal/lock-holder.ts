import { Journal } from '../../../src/kernel/journal/journal';

/**
 * A program that opens the journal in a folder, says what it found, puts a value, says `held` and stays until it is
 * killed; with `full` or
 * `shrinking`, puts until it is told that the disk is full, and a little more.
 */
const [folder = '', mode = ''] = process.argv.slice(2);
const warnings: string[] = [];
let now = 0;
const options = { warn: (sentence: string) => warnings.push(sentence), monotonic: () => now };
const journal = Journal.open(folder, options);
const print = (word: string) => process.stdout.write(`${word}\n`);

async function fill(): Promise<void> {
  for (let count = 0; warnings.length === 0; count += 1) {
    await journal.put('count', { count, text: 'x'.repeat(300) });
    if (warnings.length === 0) process.stdout.write(`${count}\n`);
  }
  await journal.put('later', 1);
  // What takes less room is written again after a while.
  if (mode === 'shrinking') {
    now += 30_000;
    await journal.put('count', 'gone');
  }
  print(`full ${warnings.length} ${journal.get('later')} ${warnings[0]}`);
}

async function hold(): Promise<void> {
  await journal.put('holder', process.pid);
  print(`held ${warnings.join()}`);
  // Held by a listener: a journal that nobody holds is collected, and its file is closed then.
  process.stdin.resume().on('end', () => journal.close());
}

void (mode ? fill() : hold());
