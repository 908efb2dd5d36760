import assert from 'node:assert/strict';
import { pack } from '../fixtures/pack';

/** What a user needs, and nothing else. */
const wanted = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  /^examples\/\d [^/]+\/[^/]+\.json$/,
  /^dist\/nodes\/[a-z-]+\.js$/,
  /^resources\/algo-(?:alert|bells|device|fields|pictures|rows|sidebar|support|virtual|week)\.js$/,
  /^resources\/algo-sentences-[a-z]{2}\.json$/,
  /^dist\/nodes\/[a-z-]+\.html$/,
  /^dist\/nodes\/icons\/[a-z-]+\.svg$/,
  /^dist\/nodes\/locales\/[a-zA-Z-]+\/[a-z-]+\.(?:json|html)$/,
  /^dist\/src\/bells\/(?:[a-z-]+\/)?[a-z-]+\.js$/,
  /^dist\/src\/catalogue\/[a-z-]+\.js$/,
  /^dist\/src\/client\/(?:[a-z-]+\/)?[a-z-]+\.js$/,
  /^dist\/src\/library\/[a-z-]+\.(?:js|d\.ts)$/,
  // What the library's declarations mention, and no other.
  /^dist\/src\/client\/errors\.d\.ts$/,
  /^dist\/src\/catalogue\/(?:localized-message|phrases|reasons|sentence)\.d\.ts$/,
  /^dist\/src\/runtime\/(?:[a-z-]+\/){0,2}[a-z-]+\.js$/,
  /^dist\/src\/sites\/[a-z-]+\.js$/,
  /^dist\/src\/kernel\/(?:[a-z-]+\/)?[a-z-]+\.js$/,
  /^dist\/src\/json\.js$/,
  /^dist\/src\/virtual-device\/(?:[a-z-]+\/)?[a-z-]+\.js$/,
  /^dist\/src\/virtual-device\/panel\/page\/[a-z-]+\.(?:html|css|js)$/,
  /^dist\/src\/virtual-device\/panel\/words\/[a-zA-Z-]+\.json$/,
];

describe('the package', () => {
  let files: string[];

  before(async () => {
    files = (await pack('--dry-run')).files.map(({ path }) => path);
  });

  it('holds nothing but what a user needs', () => {
    const surplus = files.filter((file) => !wanted.some((pattern) => pattern.test(file)));
    assert.deepEqual(surplus, []);
  });

  it('holds all that a user needs', () => {
    const missing = wanted.filter((pattern) => !files.some((file) => pattern.test(file)));
    assert.deepEqual(missing, []);
  });
});
