import assert from 'node:assert/strict';
import { operations } from '../contract/promised';
import { breach, type Described, described, type Schema } from './document';

function operation(line: string): Described['operation'] {
  const found = described.find(({ method, url }) => `${method} ${url}` === line);
  assert.ok(found, `the document has no ${line}`);
  return found.operation;
}

function jsonBody(line: string): Schema {
  const schema = operation(line).requestBody?.content['application/json']?.schema;
  assert.ok(schema, `${line} takes no JSON`);
  return schema;
}

/** Every object within a part of the document, itself included. */
function objectsIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.values(part).flatMap(objectsIn);
  return Array.isArray(part) ? inside : [part as Record<string, unknown>, ...inside];
}

describe('the OpenAPI document', () => {
  it('has every operation that flows may rely on, each once', () => {
    const ids = described.map(({ operation: { operationId } }) => operationId);
    // Reading some days is reading everything with a query, and so one operation to OpenAPI.
    const wanted = operations.filter((one) => one !== 'scheduler/range').map((one) => one.replace('/', '-'));
    assert.deepEqual(
      wanted.filter((id) => ids.filter((other) => other === id).length !== 1),
      [],
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it('writes paths of files as 4.3 does, folder and file apart, and folders in folders too', () => {
    const lines = described.map(({ method, url }) => `${method} ${url}`).filter((line) => /file/.test(line));
    assert.deepEqual(lines.sort(), [
      'DELETE /api/files/',
      'GET /api/file-md5sum/{filepath}/{filename}',
      'GET /api/file-md5sum/{filepath}/{subfolder}/{filename}',
      'GET /api/files/{filepath}',
      'GET /api/files/{filepath}/{filename}',
      'GET /api/files/{filepath}/{subfolder}/{filename}',
      'POST /api/files/download',
      'PUT /api/files/{filepath}/{filename}',
      'PUT /api/files/{filepath}/{subfolder}/{filename}',
    ]);
  });

  it('declares each name in a path, and no other in the path', () => {
    for (const {
      url,
      operation: { parameters = [], operationId },
    } of described) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const written = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(inPath, written, operationId);
    }
  });

  it('puts parameters where they travel', () => {
    const { parameters = [] } = operation('GET /api/schedules');
    assert.deepEqual(
      parameters.map(({ name, in: place, required }) => [name, place, required]),
      [
        ['events', 'query', false],
        ['days', 'query', false],
      ],
    );
    const put = operation('PUT /api/files/{filepath}/{filename}');
    assert.deepEqual(Object.keys(put.requestBody?.content ?? {}), ['application/octet-stream']);
    assert.equal(operation('POST /api/settings/action/restore').requestBody, undefined);
  });

  it('describes bodies that any validator of JSON Schema can check', () => {
    const screens = jsonBody('POST /api/controls/screen/start');
    assert.equal(breach(screens, { type: 'template', template: 'announcement', text1: 'x' }), undefined);
    assert.ok(breach(screens, { type: 'template', template: 'announcement', layout: 1 }));
    const strobes = jsonBody('POST /api/controls/strobe/start');
    assert.equal(breach(strobes, { pattern: 3, color1: 'red', ledlvl: '255' }), undefined);
    assert.ok(breach(strobes, { pattern: 'slow', color1: 'red', ledlvl: '255' }));
    const schedules = jsonBody('POST /api/schedules');
    assert.equal(breach(schedules, { delete: [{ evid: 1 }] }), undefined);
    assert.ok(breach(schedules, { delete: [{ evid: 1, tag: 'x' }] }));
    assert.ok(breach(schedules, {}));
  });

  it('refuses what the scheduler and the screens would refuse, and takes all types that they take', () => {
    const schedules = jsonBody('POST /api/schedules');
    const bell = {
      event_type: 'play_tone',
      name: 'Bell',
      audio: 'chime.wav',
      start_date: '2026-09-01',
      start_time: '08:00',
      rrule: '',
    };
    const alarm = { ...bell, event_type: 'api_call', extension: 1 };
    const entry = { method: 'POST', target: '192.0.2.7', path: '/api/controls/reload', header: '' };
    const calling = (more: object) => ({ ...alarm, api_call: [{ ...entry, ...more }] });
    const why = (event: object) => breach(schedules, { events: [event] });
    for (const right of [
      bell,
      { ...bell, rrule: 'INTERVAL=2;FREQ=WEEKLY;BYDAY=MO,-1FR' },
      calling({ payload: '{"path": "chime.wav"}\n' }),
      calling({ payload: '1e3' }),
      calling({ method: 'PATCH' }),
      { evid: 1, api_call: [] },
      { ...bell, api_call: [] },
    ])
      assert.equal(why(right), undefined, JSON.stringify(right));
    for (const wrong of [
      { ...bell, rrule: 'INTERVAL=2' },
      { ...bell, rrule: 'FREQ=DAILY;BYHOUR=7' },
      calling({ payload: 'level=1' }),
      calling({ payload: '{"path"' }),
      calling({}),
      calling({ method: 'put' }),
      { ...alarm, api_call: [] },
    ])
      assert.ok(why(wrong), JSON.stringify(wrong));
    const screens = jsonBody('POST /api/controls/screen/start');
    const image = { type: 'image', image1: 'a.png', text1: 'x' };
    for (const right of [{ textScroll: 'false' }, { textScroll: true }, { textColor: 'navy' }])
      assert.equal(breach(screens, { ...image, ...right }), undefined, JSON.stringify(right));
    for (const wrong of [{ textScroll: 'no' }, { textColor: 'reddish' }, { textColor: '#12' }])
      assert.ok(breach(screens, { ...image, ...wrong }), JSON.stringify(wrong));
  });

  it('gives examples that obey their own schema', () => {
    const examples = objectsIn(described).flatMap((schema) =>
      Array.isArray(schema.examples)
        ? schema.examples.map((example: unknown) => [example, breach(schema, example)] as const)
        : [],
    );
    const given = examples.map(([example]) => example);
    for (const one of ['chime.wav', 'tones', '-12dB', 15, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'])
      assert.ok(given.includes(one), `no example ${one}`);
    assert.deepEqual(
      examples.flatMap(([, why]) => why ?? []),
      [],
    );
    assert.deepEqual(
      objectsIn(described).filter(({ example }) => example !== undefined),
      [],
      'examples of another form, which nothing here checks',
    );
  });

  it('speaks of the wire, not of nodes', () => {
    const descriptions = objectsIn(described).flatMap(({ description }) =>
      typeof description === 'string' ? description : [],
    );
    assert.ok(descriptions.length > 300);
    assert.deepEqual(
      descriptions.filter((text) => /\bBuffer\b|\bby (?:its )?name\b|is not sent|is back\b/.test(text)),
      [],
    );
    const { pattern } = jsonBody('POST /api/controls/strobe/start').properties as Record<string, Schema>;
    assert.match(String(pattern?.description), /8190S: 0 Steady, 1 Sparkle/);
  });
});

describe('the answers in the OpenAPI document', () => {
  /** Where section 4 shows an answer. */
  const answering = [
    'GET /api/console/event/status',
    'GET /api/file-md5sum/{filepath}/{filename}',
    'GET /api/file-md5sum/{filepath}/{subfolder}/{filename}',
    'GET /api/files/{filepath}',
    'GET /api/files/{filepath}/{filename}',
    'GET /api/files/{filepath}/{subfolder}/{filename}',
    'GET /api/info/about',
    'GET /api/info/audio.noise.level',
    'GET /api/info/input.relay.status',
    'GET /api/info/input.relay1.status',
    'GET /api/info/input.relay2.status',
    'GET /api/info/status',
    'GET /api/info/tonelist',
    'GET /api/schedules',
    'GET /api/settings/{name}',
    'POST /api/controls/console/event/stop',
    'POST /api/controls/upgrade/check',
    'POST /api/controls/upgrade/start',
    'POST /api/files/download',
    'POST /api/schedules',
    'POST /api/settings/action/restore',
  ];
  const contentOf = ({ operation: { responses } }: Described) =>
    Object.values(responses).find(({ content }) => content)?.content;

  it('stand where the interface shows them', () => {
    const lines = described.filter(contentOf).map(({ method, url }) => `${method} ${url}`);
    assert.deepEqual(
      answering.filter((line) => !lines.includes(line)),
      [],
    );
  });

  it('have a schema that says something', () => {
    const empty = described.filter((one) =>
      Object.values(contentOf(one) ?? {}).some(({ schema }) => Object.keys(schema).length === 0),
    );
    assert.deepEqual(
      empty.map(({ operation: { operationId } }) => `${operationId}: src/documents/answers.ts has no schema`),
      [],
    );
  });

  it('have an example wherever a text has a form of its own', () => {
    const formed = objectsIn(described.map(contentOf)).filter(({ pattern }) => typeof pattern === 'string');
    assert.ok(formed.length > 0);
    for (const schema of formed) assert.ok(Array.isArray(schema.examples), JSON.stringify(schema));
  });

  it('refuse what no device answers', () => {
    const wrong: Record<string, unknown> = {
      'GET /api/info/tonelist': { tonelist: 'chime.wav' },
      'GET /api/info/about': { 'Firmware Version': 5.7 },
      'GET /api/info/input.relay1.status': { 'input.relay.status': 'idle' },
      'GET /api/schedules': { format: 'v2.0', groups: [], events: [{ evid: '1' }] },
      'GET /api/files/{filepath}': { filelist: [1] },
      'GET /api/file-md5sum/{filepath}/{filename}': { md5sum: 'none' },
    };
    for (const [line, answer] of Object.entries(wrong)) {
      const schema = operation(line).responses['200']?.content?.['application/json']?.schema ?? {};
      assert.ok(breach(schema, answer), line);
    }
  });
});
