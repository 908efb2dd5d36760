import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderNodes } from '../../src/editor/render';
import { wording, wordingIn } from '../fixtures/wording';

const root = path.resolve(__dirname, '..', '..', '..');

describe('a translation', () => {
  let copy: string;

  before(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'algo-locale-'));
    for (const part of ['nodes', 'icons', 'locales/en-US']) {
      await cp(path.join(root, part), path.join(copy, part), { recursive: true });
    }
    const german = path.join(copy, 'locales', 'de');
    await mkdir(german);
    await writeFile(path.join(german, 'shared.json'), '{ "fields": { "add": "Feld dazu" } }');
    await writeFile(path.join(german, 'door.json'), '{ "operation": { "lock": { "title": "Verriegeln" } } }');
    await writeFile(path.join(german, 'panel.json'), '{ "door": { "locked": "Zu" } }');
    await writeFile(path.join(german, 'door.html'), 'Hilfe\n\n{{repetition}}\n\n{{properties}}\n');
    await writeFile(
      path.join(german, 'help.json'),
      '{ "repetition": { "again": "Wird wiederholt: __operations__." } }',
    );
    await renderNodes(copy);
  });

  after(() => rm(copy, { recursive: true, force: true }));

  const built = (...place: string[]) =>
    readFile(path.join(copy, 'dist', 'nodes', 'locales', 'de', ...place), 'utf8');

  it('is files only, and may be incomplete: Node-RED falls back to English', async () => {
    assert.deepEqual(JSON.parse(await built('door.json')), { operation: { lock: { title: 'Verriegeln' } } });
    assert.deepEqual(JSON.parse(await built('tone.json')), {});
    assert.deepEqual(JSON.parse(await built('algo-forms.json')).shared.fields, { add: 'Feld dazu' });
    await assert.rejects(built('tone.html'), { code: 'ENOENT' });
  });

  it('of the panel has the English of what it leaves out: nothing falls back there', async () => {
    const folder = path.join(copy, 'dist', 'src', 'virtual-device', 'panel', 'words');
    const { 'door.locked': locked, 'door.unlocked': unlocked } = JSON.parse(
      await readFile(path.join(folder, 'de.json'), 'utf8'),
    );
    assert.deepEqual([locked, unlocked], ['Zu', 'Unlocked']);
  });

  it('reaches the property tables of the help', async () => {
    const help = await built('door.html');
    assert.match(help, /#### Verriegeln \(`lock`\)/);
    assert.ok(help.includes(`#### ${wording('door:operation.munlock.title')} (\`munlock\`)`));
  });

  it('reaches the sentences of the help that come from the catalogue, one by one', async () => {
    const help = await built('door.html');
    assert.match(help, /Wird wiederholt: \*Verriegeln\*(?:,| und) \*/);
    assert.ok(help.includes(`*${wording('door:operation.unlock.title')}*`));
    const operations = `*${wording('door:operation.munlock.title')}*`;
    assert.match(help, wordingIn('help:repetition.once', { operations }));
    await assert.rejects(built('help.json'), { code: 'ENOENT' });
  });
});
