import assert from 'node:assert/strict';
import { browserDirectory, bundle } from '../../src/editor/bundle';
import { commandNames } from '../../src/virtual-device/commands';
import { VirtualDevice } from '../../src/virtual-device/device';
import { withTarget } from '../virtual-device/calls/target';
import { read } from './pages';

interface Field {
  readonly name: string;
  readonly kind: string | readonly string[];
  readonly first?: string;
}

interface Script {
  readonly commandFields: Readonly<Record<string, readonly Field[]>>;
  textsOf(fields: readonly Field[], stored: string): Readonly<Record<string, string>> | undefined;
  storedOf(fields: readonly Field[], texts: Readonly<Record<string, string>>): string;
}

/** What a person has to write, where the dialog cannot know it. */
const written: Readonly<Record<string, Record<string, string>>> = {
  press: { id: 'a' },
  password: { password: 'new' },
};

describe('what the dialog of algo-virtual asks for', () => {
  let script: Script;

  before(async () => {
    const stdin = { contents: "export * from './virtual/fields';", resolveDir: browserDirectory };
    const text = await bundle({ stdin, format: 'esm' });
    script = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  });

  const fieldsOf = (command: string) => script.commandFields[command] ?? assert.fail(command);

  it('is there for every command that it offers', () => {
    const offered = [...read('nodes', 'virtual.html').matchAll(/<option value="([\w-]+)"/g)];
    const commands = offered.map(([, command = '']) => command).filter((command) => command !== 'msg');
    assert.deepEqual(Object.keys(script.commandFields).sort(), commands.sort());
    // Where there is no TLS there is no certificate.
    const known = commandNames.filter((command) => command !== 'certificate');
    assert.deepEqual(commands, [...known].sort());
  });

  it('is what a virtual device takes, with what it begins with', () =>
    withTarget(async ({ place }) => {
      const device = new VirtualDevice({ model: '8450' });
      await device.start();
      try {
        for (const [command, fields] of Object.entries(script.commandFields)) {
          const first = Object.fromEntries(fields.map(({ name, first: text = '' }) => [name, text]));
          const target = command === 'call' ? { target: place } : {};
          const stored = script.storedOf(fields, { ...first, ...written[command], ...target });
          if (command === 'next-event') continue;
          await device.carryOut(command, JSON.parse(stored));
        }
      } finally {
        await device.stop();
      }
    }));

  it('has a label and a hint in words for each, and words for each choice', () => {
    const { field, choice } = JSON.parse(read('locales', 'en-US', 'virtual.json'));
    for (const { name, kind } of Object.values(script.commandFields).flat()) {
      assert.ok(field[name]?.label && field[name]?.hint, name);
      if (kind === 'flag') assert.ok(choice[name]?.true && choice[name]?.false, name);
      if (typeof kind !== 'string') for (const one of kind) assert.ok(choice[one || 'unset'], one);
    }
  });

  const kept: [command: string, stored: string, texts: Record<string, string> | undefined][] = [
    ['fault', '{"kind":"latency","ms":3000,"count":1}', { kind: 'latency', ms: '3000', count: '1' }],
    ['fault', '', {}],
    ['api', '{"on":false}', { on: 'false' }],
    ['press', '{"id":"7"}', { id: '7' }],
    ['reboot', '{"seconds":"soon"}', { seconds: 'soon' }],
    // What a row would change, or has no place for, stays a text.
    ['reboot', '{"seconds":"5"}', undefined],
    ['press', '{"id":7}', undefined],
    ['api', '{"on":"false"}', undefined],
    ['press', '{"id":"a","twice":true}', undefined],
    ['press', '[1]', undefined],
    ['press', 'null', undefined],
    ['press', '{"id":', undefined],
  ];
  for (const [command, stored, texts] of kept) {
    it(`is ${JSON.stringify(texts)} for ${command} with ${stored}`, () => {
      assert.deepEqual(script.textsOf(fieldsOf(command), stored), texts);
      if (texts && stored) assert.equal(script.storedOf(fieldsOf(command), texts), stored);
    });
  }

  it('leaves out what belongs to another kind of fault, and what is empty', () => {
    const texts = { kind: 'status', ms: '3000', status: '500', count: '', route: 'POST' };
    assert.equal(script.storedOf(fieldsOf('fault'), texts), '{"kind":"status","status":500,"route":"POST"}');
  });
});
