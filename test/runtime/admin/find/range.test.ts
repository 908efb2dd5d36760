import assert from 'node:assert/strict';
import type os from 'node:os';
import { addressesIn, ownRanges, readRange } from '../../../../src/runtime/admin/find/range';

/** How many addresses a text stands for, the first and the last of them, and the port. */
function describeRange(text: unknown): unknown {
  const range = readRange(text);
  if (typeof range === 'string') return range;
  const all = [...addressesIn(range)];
  return [all.length, all[0], all.at(-1), ...(range.port === undefined ? [] : [range.port])];
}

describe('a range of addresses to search', () => {
  const ranges: [text: unknown, expected: unknown][] = [
    ['192.168.1.0/24', [254, '192.168.1.1', '192.168.1.254']],
    ['192.168.1.77/24', [254, '192.168.1.1', '192.168.1.254']],
    ['10.20.0.0/22', [1022, '10.20.0.1', '10.20.3.254']],
    ['10.20.0.0/21', 'large'],
    ['10.0.0.0/8', 'large'],
    ['10.20.0.0-10.20.3.255', [1024, '10.20.0.0', '10.20.3.255']],
    ['10.20.0.0-10.20.4.0', 'large'],
    ['10.0.0.8/31', [2, '10.0.0.8', '10.0.0.9']],
    ['10.0.0.8/32', [1, '10.0.0.8', '10.0.0.8']],
    ['172.16.5.9', [1, '172.16.5.9', '172.16.5.9']],
    ['172.31.255.1-172.31.255.9', [9, '172.31.255.1', '172.31.255.9']],
    ['169.254.7.1-20', [20, '169.254.7.1', '169.254.7.20']],
    ['127.0.0.1-20:8080', [20, '127.0.0.1', '127.0.0.20', 8080]],
    [' 10.0.0.1 – 10.0.0.3 ', [3, '10.0.0.1', '10.0.0.3']],
    ['10.0.0.0/30:80', [2, '10.0.0.1', '10.0.0.2', 80]],
    ['8.8.8.0/24', 'public'],
    ['0.0.0.0/0', 'public'],
    ['172.32.0.1', 'public'],
    ['172.15.255.250-172.16.0.5', 'public'],
    ['10.255.255.250-11.0.0.5', 'public'],
    ['192.169.0.1', 'public'],
    ['100.64.0.1', 'public'],
    ['224.0.0.1', 'public'],
    ['10.0.0.9-10.0.0.1', 'unreadable'],
    ['10.0.0.1-256', 'unreadable'],
    ['10.0.0.1-2-3', 'unreadable'],
    ['10.0.0.0/33', 'unreadable'],
    ['10.0.0.0/24/24', 'unreadable'],
    ['10.0.0.0/', 'unreadable'],
    ['10.0.0.1:0', 'unreadable'],
    ['10.0.0.1:65536', 'unreadable'],
    ['10.0.0.1:80:80', 'unreadable'],
    ['10.0.0.1:', 'unreadable'],
    ['010.0.0.1', 'unreadable'],
    ['0xa000001', 'unreadable'],
    ['167772161', 'unreadable'],
    ['10.1', 'unreadable'],
    ['fe80::1', 'unreadable'],
    ['door.example.org', 'unreadable'],
    ['http://10.0.0.1', 'unreadable'],
    ['', 'unreadable'],
    [undefined, 'unreadable'],
    [{}, 'unreadable'],
    ['1'.repeat(100_000), 'unreadable'],
  ];
  for (const [text, expected] of ranges) {
    it(`is ${JSON.stringify(expected)} for ${JSON.stringify(text)?.slice(0, 40)}`, () =>
      assert.deepEqual(describeRange(text), expected));
  }
});

describe('the ranges that a dialog proposes', () => {
  const ipv4 = (cidr: string, internal = false) =>
    ({ family: 'IPv4', cidr, internal }) as os.NetworkInterfaceInfo;
  const proposals: [cidrs: os.NetworkInterfaceInfo[], expected: string[]][] = [
    [[ipv4('192.168.7.33/24')], ['192.168.7.0/24']],
    [[ipv4('10.1.2.3/22')], ['10.1.0.0/22']],
    [[ipv4('10.1.2.3/21')], ['10.1.2.0/24']],
    [[ipv4('172.17.0.1/16'), ipv4('172.17.0.9/16')], ['172.17.0.0/24']],
    [[ipv4('127.0.0.1/8', true)], []],
    [[ipv4('10.8.0.2/32')], []],
    [[ipv4('203.0.113.9/24')], []],
    [[{ family: 'IPv6', cidr: 'fd00::1/64', internal: false } as os.NetworkInterfaceInfo], []],
    [[{ ...ipv4('10.0.0.1/24'), cidr: null }], []],
  ];
  for (const [cidrs, expected] of proposals) {
    it(`are ${JSON.stringify(expected)} beside ${cidrs.map(({ cidr }) => cidr).join(', ')}`, () =>
      assert.deepEqual(ownRanges({ eth0: cidrs }), expected));
  }

  it('can all be searched', () => {
    const proposed = proposals.flatMap(([, expected]) => expected);
    for (const range of [...proposed, ...ownRanges()]) assert.equal(typeof readRange(range), 'object', range);
  });
});
