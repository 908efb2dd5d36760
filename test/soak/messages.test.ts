import assert from 'node:assert/strict';
import { fleetOf } from '../../bench/soak/fleet';
import { plan } from '../../bench/soak/messages';
import { identify, isMainRequest, specs, wordOf } from '../../bench/soak/specs';
import { catalogue } from '../../src/catalogue';
import { request } from '../../src/catalogue/request';

describe('the messages of the soak', () => {
  it('ask for every operation of the device', () => {
    const operations = [...catalogue, request].flatMap(({ resource, operations: list }) =>
      list.map(({ id }) => (id === resource ? resource : `${resource}/${id}`)),
    );
    assert.ok(operations.length > 50);
    assert.deepEqual([...new Set(specs.map(({ operation }) => operation))].sort(), operations.sort());
    const planned = new Set(plan(1, 2000, fleetOf(1, 50)).map(({ spec }) => spec));
    assert.deepEqual(
      specs.filter(({ name }) => !planned.has(name)),
      [],
    );
  });

  it('follow from the seed', () => {
    const first = plan(7, 500, fleetOf(7, 50));
    assert.deepEqual(plan(7, 500, fleetOf(7, 50)), first);
    assert.notDeepEqual(plan(8, 500, fleetOf(8, 50)), first);
  });

  it('are told from each other by what is on the wire', () => {
    const path = `/api/settings/soak.${wordOf(12)}`;
    assert.equal(identify('GET', path, '').message, 12);
    assert.equal(identify('POST', '/api/controls/relay/menable', '{"duration":34}').message, 34);
    assert.equal(identify('POST', '/api/controls/tone/stop', '').message, undefined);
    const [get] = specs.filter(({ name }) => name === 'settings/get');
    assert.ok(get && isMainRequest(get, 'GET', path) && !isMainRequest(get, 'PUT', '/api/settings'));
  });
});
