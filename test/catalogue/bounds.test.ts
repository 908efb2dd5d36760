import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import { show } from '../../src/catalogue/describe';
import type { Field, Operation } from '../../src/catalogue/operation';
import { english as say } from '../../src/catalogue/phrases';
import { checkParameters } from '../../src/catalogue/validate';
import { wordingIn } from '../fixtures/wording';
import { findings, missing, operationNamed, unknown, wrong } from './check';

/** Lists in lists. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** The parameters that give one value to one field, inside of lists and objects too. */
function* withValue(fields: Readonly<Record<string, Field>>, value: unknown): Generator<object> {
  for (const [name, field] of Object.entries(fields)) {
    yield { [name]: value };
    const inner = field.properties ?? field.items?.properties ?? {};
    for (const given of withValue(inner, value)) yield { [name]: field.items ? [given] : given };
  }
}

const everyOperation: readonly Operation[] = everyGroup.flatMap(({ operations }) => operations);

describe('what a message may bring', () => {
  it('is told in fifty sentences, and how many more there would be', () => {
    const given = Object.fromEntries(Array.from({ length: 53 }, (_, index) => [`key${index}`, 1]));
    const sentences = findings('door/lock', given);
    assert.equal(sentences.length, 51);
    // One of the 54 is that the door is missing.
    assert.equal(sentences.at(-1), say('more', { count: '4' }));
    const fifty = findings('info/about', Object.fromEntries(Object.entries(given).slice(0, 50)));
    assert.equal(fifty.length, 50);
    assert.equal(fifty.at(-1), say('unknownOfNone', { place: 'key49' }));
  });

  it('makes a short error of 49,999 names that nobody knows', () => {
    const given = Object.fromEntries(Array.from({ length: 49_999 }, (_, index) => [`key${index}`, 1]));
    const sentences = findings('door/lock', given);
    assert.equal(sentences.at(-1), say('more', { count: '49950' }));
    assert.ok(sentences.join('; ').length < 4000);
  });

  it('makes a short error of long names and values', () => {
    const long = 'x'.repeat(100_000);
    const [other, absent] = findings('door/lock', { [long]: 1 });
    assert.equal(other, unknown(`${'x'.repeat(60)}…`, 'doorid'));
    assert.equal(absent, missing('doorid', say('oneOf', { values: 'netdc1, local' })));
    assert.deepEqual(findings('door/lock', { doorid: long }), [
      wrong('doorid', say('oneOf', { values: 'netdc1, local' }), `"${'x'.repeat(59)}…`),
    ]);
    assert.ok(findings('settings/put', { [`/${long}`]: '1' }).join().length < 200);
    assert.ok(findings('screen/start', { type: long, template: long }).join().length < 1000);
  });

  it('is refused by its size, and not looked at', () => {
    let looks = 0;
    const event = {
      get name(): string {
        looks += 1;
        return 'Bell';
      },
    };
    const events = Array.from({ length: 1_000_000 }, () => event);
    const tooMuch = (place: string) => [say('tooMuch', { place })];
    assert.deepEqual(findings('scheduler/apply', { events }), tooMuch('events'));
    assert.deepEqual(findings('scheduler/apply', { groups: [{ events }] }), tooMuch('groups[0].events'));
    assert.deepEqual(findings('scheduler/sync', { tag: 'school', bells: events }), tooMuch('bells'));
    const calls = [{ evid: 1, api_call: Array.from({ length: 40_000 }, () => event) }];
    assert.deepEqual(findings('scheduler/apply', { events: calls }), [
      wrong(
        'events[0].api_call',
        say('listOfObjects', {
          list: say('listOfAtMost', { count: '5' }),
          names: 'actid, method, target, path, header, payload, name',
        }),
        say('entries', { count: '40000' }),
      ),
    ]);
    assert.equal(looks, 0);
    assert.match(
      findings('tone/start', { path: 'x'.repeat(500_001) }).join(),
      wordingIn('phrases:tooMuch', { place: 'path' }),
    );
    const names = Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [`key${index}`, 1]));
    assert.deepEqual(findings('door/lock', names), tooMuch(say('whatIsGiven')));
  });

  it('counts what is shared as often as it is there', () => {
    const events = Array.from({ length: 1000 }, () => ({ name: 'Bell' }));
    const groups = Array.from({ length: 1000 }, () => ({ events }));
    assert.match(findings('scheduler/apply', { groups }).join(), wordingIn('phrases:tooMuch'));
  });

  it('may be a timetable of a year, and a file of any size', () => {
    const event = { event_type: 'play_tone', name: 'Bell', audio: 'a.wav', start_time: '08:00', rrule: '' };
    const events = Array.from({ length: 4000 }, () => ({ ...event, start_date: '2026-09-01' }));
    assert.equal(checkParameters(operationNamed('scheduler/apply'), { events }).ok, true);
    const content = 'x'.repeat(5_000_000);
    assert.equal(checkParameters(operationNamed('files/put'), { path: 'a', content }).ok, true);
  });

  it('may be odd in any place: each is taken or refused in words', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    const odd = [
      nested(200_000),
      circle,
      10n ** 30n,
      Symbol('x'),
      Object.create(null),
      () => 1,
      new Date(Number.NaN),
    ];
    let tried = 0;
    for (const operation of everyOperation) {
      for (const value of odd) {
        for (const parameters of withValue(operation.fields, value)) {
          const checked = checkParameters(operation, parameters as Record<string, unknown>);
          const words = checked.ok ? '' : checked.findings.join('; ');
          assert.ok(words.length < 20_000, words.slice(0, 500));
          tried += 1;
        }
      }
    }
    assert.ok(tried > 1500, String(tried));
  });

  it('is shown as JSON is, up to sixty characters', () => {
    const values: [unknown, string][] = [
      [{ a: [1, 'x', null, true], b: { c: {} } }, '{"a":[1,"x",null,true],"b":{"c":{}}}'],
      [[], '[]'],
      ['a\n"b"', '"a\\n\\"b\\""'],
      ['x'.repeat(58), `"${'x'.repeat(58)}"`],
      ['x'.repeat(59), `"${'x'.repeat(59)}…`],
      [Array.from({ length: 1_000_000 }, () => 1), `[${'1,'.repeat(29)}1…`],
      [{ ['k'.repeat(100)]: 1 }, `{"${'k'.repeat(58)}…`],
      [nested(200_000), `${'['.repeat(60)}…`],
      [Buffer.from('abc'), 'a Buffer of 3 bytes'],
      [Number.NaN, 'NaN'],
      [
        [{ 'api.admin.pwd': 's3cr3t', a: 1 }, { password: ['s3cr3t'] }],
        '[{"api.admin.pwd":"***","a":1},{"password":"***"}]',
      ],
    ];
    for (const [value, text] of values) assert.equal(show(value), text);
  });
});
