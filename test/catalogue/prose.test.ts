import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..', '..', '..');

/** Where what an editor may show of a device is made: answers to dialogs, receipts, last errors, plans. */
const rooms = [
  'src/bells',
  'src/client',
  ...['admin', 'bells', 'device', 'message', 'overview'].map((room) => `src/runtime/${room}`),
];

/** Files with sentences that no dialog shows, each with the place where they are read instead. */
const elsewhere: Readonly<Record<string, string>> = {
  'src/bells/calendar-file/windows-zones.ts': 'names of zones',
  'src/client/authentication.ts': 'the log',
  'src/client/client.ts': 'the log',
  'src/client/http/connection.ts': 'nowhere: judged by its code',
  'src/client/errors.ts': 'what others threw',
  'src/client/execution.ts': 'the log',
  'src/client/http/socket.ts': 'nowhere: judged by its code',
  'src/runtime/message/message-node.ts': 'the log, and a fault of ours',
  'src/runtime/message/receipt.ts': 'the error of the whole message',
  'src/runtime/device/config-nodes.ts': 'the log',
  'src/runtime/device/identity.ts': 'names in the answer of a device',
  'src/runtime/device/targets.ts': 'the error of the whole message, or of what is no device',
  'src/runtime/admin/certificate.ts': 'nowhere: whoever asks says it in its own words',
  'src/runtime/admin/find/finder.ts': 'nowhere: the dialog goes by its reason',
  'src/runtime/admin/trial.ts': 'wire names',
  'src/runtime/bells/engine.ts': 'a fault of ours',
};

/** What a file says in whole words, beside comments. */
function proseIn(text: string): string[] {
  const found: string[] = [];
  const look = (node: ts.Node) => {
    const words = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…')
        : '';
    const isProse = /\p{L}{2,} \p{L}{2,}/u.test(words);
    if (isProse && !ts.isImportDeclaration(node.parent)) found.push(words);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true));
  return found;
}

const files = rooms.flatMap((room) =>
  readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(room, file.split(path.sep).join('/'))),
);

const prose = new Map(files.map((file) => [file, proseIn(readFileSync(path.join(root, file), 'utf8'))]));

describe('a sentence of the runtime that an editor may show', () => {
  it('is one of the phrases and reasons, which every language has', () => {
    assert.ok(files.length > 80, String(files.length));
    const bare = [...prose].flatMap(([file, found]) =>
      file in elsewhere ? [] : found.map((words) => `${file}: ${words}`),
    );
    assert.deepEqual(bare, []);
  });

  it('is looked for everywhere but where there is such a sentence for somebody else', () => {
    assert.deepEqual(
      Object.keys(elsewhere).filter((file) => !prose.get(file)?.length),
      [],
    );
  });

  it('is found as a text, and as one with values in it', () => {
    assert.deepEqual(proseIn("const a = 'it has no name'; const b = `${a} is told ${a} times`;"), [
      'it has no name',
      '… is told … times',
    ]);
    assert.deepEqual(proseIn("import a from 'b c d'; // it has no name\nconst key = 'noName';"), []);
  });
});
