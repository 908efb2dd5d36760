import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { type EditorPlace, panelAddress } from '../../../src/virtual-device/node/panel-address';

const listening = (address: string, port = 1880) => ({
  address: (): AddressInfo => ({ address, port, family: 'IPv4' }),
});

describe('where the panel of a virtual device is in a Node-RED', () => {
  const places: [title: string, place: EditorPlace, expected: string | undefined][] = [
    [
      'at the usual place',
      { server: listening('127.0.0.1'), settings: {} },
      'http://127.0.0.1:1880/algo/virtual/a%2Fb/',
    ],
    [
      'of one that listens everywhere',
      { server: listening('0.0.0.0'), settings: { httpAdminRoot: '/' } },
      'http://127.0.0.1:1880/algo/virtual/a%2Fb/',
    ],
    [
      'of one that listens everywhere, IPv6 included',
      { server: listening('::'), settings: { httpAdminRoot: '/admin/' } },
      'http://127.0.0.1:1880/admin/algo/virtual/a%2Fb/',
    ],
    [
      'of one with a folder of its own',
      { server: listening('::1', 80), settings: { httpAdminRoot: 'red/admin' } },
      'http://[::1]/red/admin/algo/virtual/a%2Fb/',
    ],
    ['without an editor', { server: listening('127.0.0.1'), settings: { httpAdminRoot: false } }, undefined],
    ['without a server', { settings: {} }, undefined],
    ['before it listens', { server: { address: () => null }, settings: {} }, undefined],
  ];
  for (const [title, place, expected] of places)
    it(`is known ${title}`, () => assert.equal(panelAddress(place, 'a/b'), expected));

  it('has the scheme that the editor has', async () => {
    for (const [server, scheme] of [
      [http.createServer(), 'http:'],
      [https.createServer(), 'https:'],
    ] as const) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const found = panelAddress({ server, settings: {} }, 'hall') ?? '';
      server.close();
      assert.equal(new URL(found).protocol, scheme);
    }
  });
});
