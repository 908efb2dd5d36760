import assert from 'node:assert/strict';
import { catalogue } from '../../src/catalogue';
import type { Field, Fields, Operation, Shape } from '../../src/catalogue/operation';
import { operationNamed } from './check';

const operations = catalogue.flatMap(({ noun, operations: own }) =>
  (own as readonly Operation[]).map((operation) => ({ deed: `${noun}/${operation.id}`, operation })),
);

/** 2.2 of the design: the nodes and their operations. */
const deeds = `
  door/lock door/unlock door/munlock
  tone/start tone/stop tone/upload-play tone/test-start tone/test-loop tone/test-stop
  strobe/start strobe/stop
  screen/start screen/stop screen/text-start screen/text-stop
  call/start call/stop call/page
  relay/enable relay/disable relay/menable relay/24v-enable relay/24v-disable
  console/activate console/stop console/status
  emergency/start emergency/stop
  scheduler/get scheduler/range scheduler/apply
  settings/get settings/put settings/restore
  files/list files/get files/download files/put files/delete files/md5sum
  audio/rx-start audio/rx-stop audio/noise-update audio/mcast-update
  system/reboot system/reload system/upgrade-check system/upgrade-start
  info/about info/status info/tonelist info/input-relay info/input-relay1 info/input-relay2 info/noise-level`
  .trim()
  .split(/\s+/);

function shapesOf(operation: Operation): readonly Shape[] {
  return [operation, ...(operation.variants ?? [])];
}

/** Every field of some fields, those inside objects and lists too, with where it is. */
function deepFields(fields: Fields, place: string): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]) => deepField(`${place}.${name}`, field));
}

function deepField(place: string, field: Field): [string, Field][] {
  return [
    [place, field],
    ...deepFields(field.properties ?? {}, place),
    ...(field.items ? deepField(`${place}[]`, field.items) : []),
  ];
}

const fields = operations.flatMap(({ deed, operation }) =>
  shapesOf(operation).flatMap((shape) => deepFields(shape.fields, deed)),
);

function isLater(firmware: string, than: string): boolean {
  const others = than.split('.').map(Number);
  const steps = firmware.split('.').map((number, index) => Number(number) - (others[index] ?? 0));
  return (steps.find((step) => step !== 0) ?? 0) > 0;
}

/** The deeds for which something holds. */
function deedsThat(holds: (operation: Operation) => boolean): string[] {
  return operations.filter(({ operation }) => holds(operation)).map(({ deed }) => deed);
}

describe('the catalogue', () => {
  it('has the operations of the contract, and no others', () => {
    assert.deepEqual(operations.map(({ deed }) => deed).sort(), [...deeds].sort());
    assert.equal(new Set(deeds).size, 55);
  });

  it('has a route for each operation, the same only where the answer tells them apart', () => {
    const routes = operations.map(({ operation }) => operation.route);
    const twice = routes.filter((route, index) => routes.indexOf(route) !== index);
    assert.deepEqual(twice, ['GET /api/files/{path}']);
  });

  it('takes what its routes need from required parameters, but for queries', () => {
    let checked = 0;
    for (const { deed, operation } of operations) {
      const [path = '', query = ''] = operation.route.split('?');
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        assert.ok(operation.required.includes(name), `${deed} {${name}}`);
        checked += 1;
      }
      for (const [, name = ''] of query.matchAll(/\{(\w+)\}/g)) assert.ok(name in operation.fields, deed);
    }
    assert.equal(checked, 5);
  });

  it('reads and deletes without a body beside the one that is listed', () => {
    const reading = operations.filter(({ operation }) => operation.route.startsWith('GET '));
    assert.ok(reading.length > 10);
    for (const { deed, operation } of reading) {
      for (const name of Object.keys(operation.fields)) {
        assert.ok(operation.route.includes(`{${name}}`), `${deed}: ${name} has no place`);
      }
    }
  });

  it('requires only fields that there are', () => {
    for (const { deed, operation } of operations) {
      for (const shape of shapesOf(operation)) {
        for (const name of shape.required) assert.ok(name in shape.fields, `${deed} ${name}`);
      }
    }
    for (const [place, field] of fields) {
      for (const name of [...(field.required ?? []), ...(field.exactlyOne ?? [])]) {
        assert.ok(name in (field.properties ?? {}), `${place} ${name}`);
      }
    }
  });

  it('says in words what everything is', () => {
    assert.ok(fields.length > 300);
    const said: [string, { title: string; description: string }][] = [
      ...operations.map(({ deed, operation }): [string, Operation] => [deed, operation]),
      ...fields,
    ];
    for (const [place, { title, description }] of said) {
      assert.match(title, /^[A-Z0-9].*[^.]$/, `the title of ${place}`);
      assert.match(description, /^[A-Z0-9].*\.$/s, `the description of ${place}`);
    }
  });

  it('gates fields later than their operations, or for fewer models', () => {
    const gated = operations.flatMap(({ deed, operation }) =>
      Object.entries(operation.fields)
        .filter(([, { firmware }]) => firmware)
        .map(([name, field]) => ({ place: `${deed} ${name}`, field, since: operation.firmware })),
    );
    for (const { place, field, since } of gated) {
      assert.ok(isLater(field.firmware ?? '', since), place);
      if (field.earlier) assert.ok(isLater(field.firmware ?? '', field.earlier.firmware), place);
    }
    assert.deepEqual(gated.map(({ place, field }) => `${place} ${field.firmware}`).sort(), [
      'call/start dtmf 5.7',
      'screen/start stopAfter 5.7',
      'strobe/start duration 5.7',
      'tone/start duration 5.7',
      'tone/start mcast 5.6',
      'tone/start playback 5.6',
      'tone/start state 5.6',
    ]);
  });

  it('asks for the same type in every variant', () => {
    for (const { deed, operation } of operations) {
      for (const variant of operation.variants ?? []) {
        for (const [name, field] of Object.entries(variant.fields)) {
          const { type, names, words, format } = operation.fields[name] ?? {};
          const place = `${deed} ${variant.id} ${name}`;
          assert.deepEqual(
            [field.type, field.names, field.words, field.format],
            [type, names, words, format],
            place,
          );
        }
        for (const name of Object.keys(variant.when)) assert.ok(variant.required.includes(name), variant.id);
      }
    }
  });

  it('repeats what field-notes.md section 6 calls safe, and nothing else', () => {
    const safe = deedsThat(({ repeatable }) => repeatable);
    const posts = safe.filter((deed) => !operationNamed(deed).route.startsWith('GET '));
    assert.deepEqual(posts.sort(), [
      'audio/mcast-update',
      'audio/noise-update',
      'audio/rx-start',
      'audio/rx-stop',
      'call/stop',
      'console/stop',
      'door/lock',
      'door/unlock',
      'emergency/start',
      'emergency/stop',
      'files/put',
      'relay/disable',
      'relay/enable',
      'screen/start',
      'screen/stop',
      'screen/text-start',
      'screen/text-stop',
      'settings/put',
      'strobe/start',
      'strobe/stop',
      'tone/stop',
      'tone/test-stop',
    ]);
    const reads = deedsThat(({ route }) => route.startsWith('GET '));
    assert.deepEqual(
      safe.filter((deed) => !posts.includes(deed)),
      reads,
    );
  });

  it('lets an emergency, a lock and every stop go first', () => {
    assert.deepEqual(deedsThat(({ urgent }) => urgent).sort(), [
      'audio/rx-stop',
      'call/stop',
      'console/stop',
      'door/lock',
      'emergency/start',
      'emergency/stop',
      'relay/24v-disable',
      'relay/disable',
      'screen/stop',
      'screen/text-stop',
      'strobe/stop',
      'tone/stop',
      'tone/test-stop',
    ]);
  });

  it('shows the answers that the document shows', () => {
    assert.deepEqual(
      deedsThat(({ answer }) => answer === 'file'),
      ['files/get', 'files/download'],
    );
    assert.deepEqual(
      deedsThat(({ answer }) => answer === 'text'),
      ['console/stop'],
    );
    const shown = deedsThat(({ answer, route }) => answer === 'json' && !route.startsWith('GET '));
    assert.deepEqual(shown.sort(), [
      'scheduler/apply',
      'settings/restore',
      'system/upgrade-check',
      'system/upgrade-start',
    ]);
    const reads = operations.filter(({ operation }) => operation.route.startsWith('GET '));
    for (const { deed, operation } of reads) assert.notEqual(operation.answer, 'none', deed);
  });

  it('waits longer where the device takes longer', () => {
    const limits = Object.fromEntries(
      operations.flatMap(({ deed, operation }) =>
        operation.minTimeoutMs ? [[deed, operation.minTimeoutMs]] : [],
      ),
    );
    assert.deepEqual(limits, {
      'tone/upload-play': 120_000,
      'files/get': 60_000,
      'files/download': 60_000,
      'files/put': 60_000,
      'system/upgrade-check': 60_000,
      'system/upgrade-start': 60_000,
    });
  });

  it('confirms by operations that there are, where a node has the option', () => {
    assert.deepEqual(
      deedsThat(({ options = [] }) => options.includes('confirmWrite')),
      deedsThat(({ confirm }) => confirm !== undefined),
    );
    const confirmed = operations.flatMap(({ operation }) => operation.confirm ?? []);
    assert.equal(confirmed.length, 3);
    for (const { by } of confirmed) assert.equal(operationNamed(by).answer, 'json');
  });
});
