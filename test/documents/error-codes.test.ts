import assert from 'node:assert/strict';
import { errorCodes } from '../../src/client/errors';
import { read } from '../editor/pages';
import { anchorsOf } from '../fixtures/anchors';

const page = read('docs', 'errors.md');
const { repository }: { repository: { url: string } } = JSON.parse(read('package.json'));

describe('the page of the error codes', () => {
  it('has a section for each code, where the links of the editor lead, and for no other', () => {
    const headings = [...page.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code);
    assert.deepEqual([...headings].sort(), [...errorCodes].sort());
    const anchors = anchorsOf(page);
    for (const code of errorCodes) assert.ok(anchors.has(code.toLowerCase()), code);
    assert.match(page, new RegExp(`lists all ${errorCodes.length} codes`));
  });

  it('is where the scripts of the editor link to', () => {
    const address = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/errors.md`;
    for (const script of ['algo-bells.js', 'algo-device.js', 'algo-sidebar.js'])
      assert.ok(read('resources', script).includes(address), script);
  });
});
