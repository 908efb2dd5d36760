import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { type Json, openApi, openApiFile } from '../../src/documents/openapi';
import { withOperationsTable } from '../../src/documents/operations-table';
import { everyOperation } from '../catalogue/check';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** A part of a document, by the names that lead to it. */
function at(json: unknown, ...names: string[]): Json {
  const found = names.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], json);
  assert.ok(found, `the document has no ${names.join(' > ')}`);
  return found as Json;
}

describe('the documents', () => {
  const document = openApi(version);

  it('hold an OpenAPI document that a public validator finds right', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(openApi(version));
    assert.deepEqual([valid, errors], [true, undefined]);
    assert.equal(validator.version, '3.1');
    const broken = { ...openApi(version), paths: { '/x': { get: { responses: 7 } } } };
    assert.equal((await validator.validate(broken)).valid, false);
  });

  it('are up to date: npm run documents changes nothing', () => {
    assert.equal(read('openapi.json'), openApiFile(version));
    assert.equal(read('README.md'), withOperationsTable(read('README.md')));
  });

  it('list every method and path of section 4, each once', () => {
    const methods = Object.entries(at(document, 'paths')).flatMap(([url, entry]) =>
      Object.keys(entry as Json).map((method) => `${method.toUpperCase()} ${url}`),
    );
    // List and get of files are one to OpenAPI, and so are get and range of schedules.
    const routes = [...everyOperation].flatMap(([deed, { route }]) =>
      deed === 'request' ? [] : [route.split('?')[0]],
    );
    assert.deepEqual(methods.sort(), [...new Set(routes)].sort());
    for (const one of [
      'PUT /api/settings',
      'DELETE /api/files/',
      'POST /api/state/mcast/update/',
      'GET /api/schedules',
      'GET /api/file-md5sum/{path}',
    ]) {
      assert.ok(methods.includes(one), one);
    }
  });

  it('put parameters where they travel', () => {
    const range = at(document, 'paths', '/api/schedules', 'get').parameters as { name: string; in: string }[];
    assert.deepEqual(
      range.map(({ name, in: place }) => [name, place]),
      [
        ['events', 'query'],
        ['days', 'query'],
      ],
    );
    assert.deepEqual(
      Object.keys(at(document, 'paths', '/api/files/{path}', 'put', 'requestBody', 'content')),
      ['application/octet-stream'],
    );
    const restore = at(document, 'paths', '/api/settings/action/restore', 'post');
    assert.equal('requestBody' in restore, false);
  });

  it('describe bodies that any validator of JSON Schema can check', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const checker = (url: string) =>
      ajv.compile(
        at(document, 'paths', url, 'post', 'requestBody', 'content', 'application/json').schema as object,
      );
    const screens = checker('/api/controls/screen/start');
    assert.equal(screens({ type: 'template', template: 'announcement', text1: 'x' }), true);
    assert.equal(screens({ type: 'template', template: 'announcement', layout: 1 }), false);
    const strobes = checker('/api/controls/strobe/start');
    assert.equal(strobes({ pattern: 3, color1: 'red', ledlvl: '255' }), true);
    assert.equal(strobes({ pattern: 'slow', color1: 'red', ledlvl: '255' }), false);
    const schedules = checker('/api/schedules');
    assert.equal(schedules({ delete: [{ evid: 1 }] }), true);
    assert.equal(schedules({ delete: [{ evid: 1, tag: 'x' }] }), false);
    assert.equal(schedules({}), false);
  });
});
