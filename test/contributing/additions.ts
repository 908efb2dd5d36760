import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../fixtures/pack';
import type { Copy } from './copy';

/** How each file of an addition is made, by its name relative to the repository. */
export type Addition = Readonly<Record<string, (copy: Copy) => Promise<void>>>;

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The routes of the doors and the list of all routes, wherever the virtual device keeps them. */
const doors = fileEndingIn('doors.ts');
const allRoutes = path.join(path.dirname(doors), 'index.ts');

function fileEndingIn(name: string): string {
  const room = 'src/virtual-device';
  const files = readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' });
  const [found] = files.filter((file) => path.basename(file) === name);
  if (found === undefined) throw new Error(`${room} has no ${name}`);
  return path.join(room, found);
}

/** What the contract has ended after a while is a list of its own, and what is made up is not on it. */
const withoutEnd = (text: string): string => text.replace(/^ +autoStop: \{.*\},\n/gm, '');

/** Puts a copy of what unlocks the door beside it, as what holds it open. */
function besideUnlock(text: string, start: string, end: string): string {
  const at = text.indexOf("'POST /api/controls/door/unlock'");
  const from = text.lastIndexOf(start, at);
  const to = text.indexOf(end, at) + end.length;
  if (at < 0 || from < 0 || to < end.length) throw new Error('there is no door/unlock to copy');
  const block = withoutEnd(text.slice(from, to))
    .replace('door/unlock', 'door/hold')
    .replace("id: 'unlock'", "id: 'hold'");
  return text.slice(0, to) + block + text.slice(to);
}

const heldOpen = `
  {
    title: 'a door is held open',
    section: '4.4',
    device: controller,
    ask: { operation: 'door/hold', parameters: { doorid: 'local' } },
    request: { line: 'POST /api/controls/door/hold', json: { doorid: 'local' } },
    leaves: { doors: { local: 'unlocked', netdc1: 'locked' } },
    answer: done,
  },
  ...refused('door/hold', '4.4', controller, [['the door is missing', {}, 'doorid']]),
  ...rejected('POST /api/controls/door/hold', '4.4', controller, [['the door is missing', {}, /doorid/]]),
`;

/** One more operation of the doors: the three transcriptions of the document, and nothing else. */
export const operation: Addition = {
  'src/catalogue/door.ts': (copy) =>
    copy.edit('src/catalogue/door.ts', (text) => besideUnlock(text, '\n    {\n', '\n    },')),
  'test/contract/door.ts': (copy) =>
    copy.edit('test/contract/door.ts', (text) => text.replace(/\n\];\n$/, `${heldOpen}];\n`)),
  [doors]: (copy) => copy.edit(doors, (text) => besideUnlock(text, '\n  route({\n', '\n  }),')),
};

/** A text about doors as one about gates; what a help says in its own words stands in no other. */
const ofGates = (text: string): string =>
  text
    .replace(/\bdoor\b/g, 'gate')
    .replace(/\bDoor\b/g, 'Gate')
    .replace('the bolt moved', 'the bar moved');

/** The imports of a file in the linter's order: by what they come from. */
function sorted(text: string): string {
  const source = (line: string) => /from '(.*)'/.exec(line)?.[1] ?? '';
  return text.replace(/^(?:import .*\n)+/, (lines) =>
    lines
      .trimEnd()
      .split('\n')
      .sort((one, other) => (source(one) < source(other) ? -1 : 1))
      .join('\n')
      .concat('\n'),
  );
}

/** The list of all routes with those of the gates after those of the doors. */
function withGates(text: string): string {
  const [, name = ''] = /export const (\w+)/.exec(read(doors)) ?? [];
  return text
    .replace(/^import .* from '\.\/doors';\n/m, `$&import { ${name} as gates } from './gates';\n`)
    .replace(`  ...${name},\n`, `$&  ...gates,\n`);
}

/** The gates have no auto-stop, see `withoutEnd`. */
const [doorExample, gateExample] = ['door', 'gate'].map(
  (name) => `examples/2 Doors and calls/Unlock the ${name} when the doorbell rings.json`,
) as [string, string];

const asGates = (from: string, to: string) =>
  [to, (copy: Copy) => copy.write(to, ofGates(read(from)))] as const;

/** One more node, a copy of the doors' by another name, with all that CONTRIBUTING lists. */
export const node: Addition = Object.fromEntries([
  [
    'src/catalogue/gate.ts',
    (copy) => copy.write('src/catalogue/gate.ts', withoutEnd(ofGates(read('src/catalogue/door.ts')))),
  ],
  [
    'src/catalogue/index.ts',
    (copy) =>
      copy.edit('src/catalogue/index.ts', (text) =>
        sorted(text.replace(/^.*\bdoor\b.*\n/gm, (line) => line + ofGates(line))),
      ),
  ],
  asGates('test/contract/door.ts', 'test/contract/gate.ts'),
  asGates(doors, path.join(path.dirname(doors), 'gates.ts')),
  [allRoutes, (copy) => copy.edit(allRoutes, (text) => sorted(withGates(text)))],
  asGates('nodes/door.ts', 'nodes/gate.ts'),
  asGates('nodes/door.html', 'nodes/gate.html'),
  asGates('icons/door.svg', 'icons/gate.svg'),
  [
    'package.json',
    (copy) =>
      copy.edit('package.json', (text) => text.replace(/^.*"door": .*\n/m, (line) => line + ofGates(line))),
  ],
  [
    gateExample,
    (copy) =>
      copy.write(gateExample, ofGates(read(doorExample)).replace('"endAfter": "10"', '"endAfter": ""')),
  ],
] as [string, (copy: Copy) => Promise<void>][]);
