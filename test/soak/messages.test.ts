import assert from 'node:assert/strict';
import { deeds, identify, isDeed, wordOf } from '../../bench/soak/deeds';
import { fleetOf } from '../../bench/soak/fleet';
import { plan } from '../../bench/soak/messages';
import { catalogue } from '../../src/catalogue';
import { request } from '../../src/catalogue/request';

describe('the messages of the soak', () => {
  it('ask for every operation of the device', () => {
    const operations = [...catalogue, request].flatMap(({ resource, operations: list }) =>
      list.map(({ id }) => (id === resource ? resource : `${resource}/${id}`)),
    );
    assert.ok(operations.length > 50);
    assert.deepEqual([...new Set(deeds.map(({ operation }) => operation))].sort(), operations.sort());
    const planned = new Set(plan(1, 2000, fleetOf(1, 50)).map(({ deed }) => deed));
    assert.deepEqual(
      deeds.filter(({ name }) => !planned.has(name)),
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
    const [get] = deeds.filter(({ name }) => name === 'settings/get');
    assert.ok(get && isDeed(get, 'GET', path) && !isDeed(get, 'PUT', '/api/settings'));
  });
});
