import { Journal } from '../../../src/runtime/journal/journal';

/**
 * A program that opens the journal in a folder, says what it found, puts a value, says `held` and stays until it is
 * killed; with `full`, puts until it is told that the disk is full, and a little more.
 */
const [folder = '', mode = ''] = process.argv.slice(2);
const warnings: string[] = [];
const journal = Journal.open(folder, { warn: (sentence) => warnings.push(sentence) });
const say = (word: string) => process.stdout.write(`${word}\n`);

async function fill(): Promise<void> {
  for (let count = 0; warnings.length === 0; count += 1) {
    await journal.put('count', { count, text: 'x'.repeat(300) });
    if (warnings.length === 0) process.stdout.write(`${count}\n`);
  }
  await journal.put('later', 1);
  say(`full ${warnings.length} ${journal.get('later')} ${warnings[0]}`);
}

async function hold(): Promise<void> {
  await journal.put('holder', process.pid);
  say(`held ${warnings.join()}`);
  process.stdin.resume();
}

void (mode === 'full' ? fill() : hold());
