import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

describe('the code for calendars', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-ical-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is loaded at the next use after a failure, and then once', async () => {
    const copy = path.join(folder, 'ical.js');
    await copyFile(path.join(root, 'dist/src/bells/ical.js'), copy);
    const { ical } = require(copy) as typeof import('../../src/bells/ical');
    await assert.rejects(ical(), { code: 'ERR_MODULE_NOT_FOUND' });
    const modules = path.join(folder, 'node_modules');
    await mkdir(modules);
    await symlink(path.join(root, 'node_modules/ical.js'), path.join(modules, 'ical.js'), 'junction');
    const loaded = await ical();
    assert.equal(typeof loaded.parse, 'function');
    assert.equal(await ical(), loaded);
  });
});
