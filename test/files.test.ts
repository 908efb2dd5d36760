import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const folders = ['bench', 'nodes', 'scripts', 'src', 'test'];
const limit = 250;

/** Files that may be longer, and why: a table is read row by row, and nobody reads it better in two halves. */
const tables: Readonly<Record<string, string>> = {
  'bench/soak/deeds.ts': 'a row for each operation of the soak',
  'bench/soak/faults.ts': 'a row for each fault of the soak',
  'src/catalogue/reasons.ts': 'a line for each reason',
  'test/contract/files.ts': 'the transcripts of a section',
  'test/contract/scheduler.ts': 'the transcripts of a section',
  'test/contract/screen.ts': 'the transcripts of a section',
  'test/contract/tone.ts': 'the transcripts of a section',
  'test/catalogue/scheduler.test.ts': 'rows of parameters and of what becomes of them',
  'test/catalogue/screen.test.ts': 'rows of parameters and of what becomes of them',
  'test/client/connections.test.ts': 'a case for each thing that a connection may do',
  'test/client/failures.test.ts': 'a row for each way in which a call fails',
  'test/nodes/scenarios.ts': 'a paragraph for each example',
  'test/soak/model.test.ts': 'histories written by hand, and what the model says of each',
  'test/runtime/watch/tables.test.ts': 'rows of readings and of what they mean',
};

/** Every file that a person writes, with its number of lines. */
const files = folders
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => /\.(?:[cm]?[jt]s|css|html)$/.test(file) && !file.includes('node_modules'))
  .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 }));

describe('the files', () => {
  const long = files.filter(({ lines }) => lines >= limit).map(({ file }) => file);
  const excused = Object.keys(tables);

  it(`have fewer than ${limit} lines, tables aside`, () => {
    assert.ok(files.length > 0);
    assert.deepEqual(
      long.filter((file) => !excused.includes(file)),
      [],
    );
  });

  it('are excused only where they are longer', () => {
    assert.deepEqual(
      excused.filter((file) => !long.includes(file)),
      [],
    );
  });
});
