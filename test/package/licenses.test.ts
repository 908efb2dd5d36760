import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pack, root } from '../fixtures/pack';

/** Bundles with code of others, and the copyright lines of those. */
const bundles = {
  'resources/algo-rows.js': ['Copyright (c) 2015 Matthew Holt'],
  'resources/algo-week.js': ['Copyright (c) 2021 vkurko', 'Copyright (c) 2016-2025 these people'],
};

const ofMit = [
  'The above copyright notice and this permission notice shall be included in all copies or substantial portions',
  'THE SOFTWARE IS PROVIDED "AS IS"',
];

describe('the bundles that are packed', () => {
  it('carry the licence texts of those whose code they hold', async () => {
    const files = (await pack('--dry-run')).files.map((file) => file.path);
    for (const [file, copyrights] of Object.entries(bundles)) {
      assert.ok(files.includes(file), file);
      const text = readFileSync(path.join(root, file), 'utf8').replace(/\s+/g, ' ');
      for (const line of [...copyrights, ...ofMit]) {
        assert.equal(
          text.split(line).length - 1,
          line.startsWith('C') ? 1 : copyrights.length,
          `${file}: ${line}`,
        );
      }
    }
  });
});
