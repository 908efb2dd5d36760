import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { keyEndpoints } from '../../../src/runtime/admin/site-keys';
import type { AdminRequest } from '../../../src/runtime/lazy';
import { readKey } from '../../../src/runtime/sites/settings';
import { keyOfSite } from '../../../src/sites/signing';

describe('the keys of the sites of a centre', () => {
  const permissions: string[] = [];
  const nodes: Record<string, object> = {
    r: { type: 'algo-remote', credentials: { secret: 'stored' } },
    none: { type: 'algo-remote', credentials: {} },
    other: { type: 'other', credentials: { secret: 'other' } },
  };
  const RED = {
    auth: {
      needsPermission: (permission: string) => {
        permissions.push(permission);
        return (_request: unknown, _response: unknown, next: () => void) => next();
      },
    },
    nodes: { getNode: (id: string) => nodes[id] ?? null },
  } as unknown as NodeAPI;

  const ask = (body: unknown): unknown => {
    const chunks: string[] = [];
    const response = { setHeader() {}, end: (text: string) => chunks.push(text) };
    const request = { headers: {}, body } as unknown as AdminRequest;
    keyEndpoints(RED)['/algo/sites/keys'](request, response as never, (error) => {
      throw error;
    });
    return JSON.parse(chunks.join('')).keys;
  };

  it('are told to who may change flows, of the stored secret and of a typed one', () => {
    assert.deepEqual(ask({ id: 'r', sites: ['north', '*', 'north', 'a/b'] }), {
      north: keyOfSite('stored', 'north'),
    });
    assert.deepEqual(ask({ id: 'r', secret: ' typed ', sites: 'north, south' }), {
      north: keyOfSite('typed', 'north'),
      south: keyOfSite('typed', 'south'),
    });
    assert.deepEqual(new Set(permissions), new Set(['flows.write']));
  });

  it('are told of no other node, and of nothing that is no name', () => {
    for (const id of ['none', 'other', 'nobody', { toString: 1 }]) {
      assert.deepEqual(ask({ id, sites: ['north'] }), {});
    }
    assert.deepEqual(ask({ id: 'r', secret: { toString: 1 }, sites: [{ toString: 1 }, null, 1] }), {});
    assert.deepEqual(ask(undefined), {});
  });

  it('are refused by a site where they are none', () => {
    const key = keyOfSite('secret', 'north');
    assert.equal(readKey(` ${key}\n`), key);
    assert.equal(readKey(''), undefined);
    assert.equal(readKey(undefined), undefined);
    for (const wrong of ['short', `${key}x`, '${KEY}']) assert.equal(typeof readKey(wrong), 'object', wrong);
  });
});
