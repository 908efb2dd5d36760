import assert from 'node:assert/strict';
import { operation } from '../../src/library';
import { failureOf } from '../fixtures/client-fixture';
import { warningsOf } from '../fixtures/process-warnings';
import { ResponseGate } from '../fixtures/response-gate';
import { LibraryFixture, type UntypedCall } from './library-fixture';

describe("the library's calls", () => {
  const fixture = new LibraryFixture();

  afterEach(() => fixture.clear());

  it('does an operation and gives the answer', async () => {
    const { device, client } = await fixture.door();
    const unlocked = await client.call(operation('door/munlock'), { doorid: 'local', duration: 5 });
    assert.equal(unlocked.statusCode, 200);
    assert.equal(unlocked.attempts, 1);
    assert.ok(unlocked.latencyMs >= 0);
    assert.deepEqual(device.log[0]?.parameters, { doorid: 'local', duration: '5' });
    const { body } = await client.call(operation('info/about'));
    assert.match(JSON.stringify(body), /8063/);
  });

  const refused: readonly [title: string, parameters: unknown, sentence: RegExp][] = [
    [
      'a misspelt name',
      { doorid: 'local', duraton: 5 },
      /^.*duraton.*: door\/munlock; .*; nothing was sent$/,
    ],
    ['a missing one', { doorid: 'local' }, /duration is required/],
    ['a value that there is not', { doorid: 'garage', duration: 5 }, /doorid .*"garage"/],
    ['null', null, /parameters must be an object/],
    ['a list', [], /parameters must be an object/],
    ['a text', 'local', /parameters must be an object/],
  ];
  for (const [title, parameters, sentence] of refused) {
    it(`refuses before anything is sent: ${title}`, async () => {
      const { device, client } = await fixture.door();
      const call = client.call.bind(client) as UntypedCall;
      const error = await failureOf(call(operation('door/munlock'), parameters));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.equal(error.outcome, 'failed');
      assert.equal(error.attempts, 0);
      assert.match(error.message, sentence);
      await client.call(operation('door/lock'), { doorid: 'local' });
      assert.deepEqual(
        device.log.map(({ path: line }) => line),
        ['/api/controls/door/lock'],
      );
    });
  }

  it('refuses names of patterns and of brightnesses, which mean a number on a known model only', async () => {
    const device = await fixture.virtual({ model: '8128' });
    const client = fixture.program({ address: device.address, password: 'secret' });
    const call = client.call.bind(client) as UntypedCall;
    for (const [name, parameters, words] of [
      ['strobe/start', { pattern: 'Rotate Slow', color1: 'red', ledlvl: '56' }, /pattern .*"Rotate Slow"/],
      [
        'strobe/start',
        { pattern: 4, color1: 'red', ledlvl: 'high' },
        /ledlvl .* 0, 56, 255, 1, 2, 3\b.*"high"/,
      ],
      ['screen/start', { type: 'image', image1: 'a', strobeFlash: 'fast' }, /strobeFlash .*"fast"/],
    ] as const) {
      const error = await failureOf(call(operation(name), parameters));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.match(error.message, words);
    }
    await client.call(operation('strobe/start'), { pattern: '5', color1: 'red', ledlvl: 56 });
    assert.deepEqual(
      device.log.map(({ parameters }) => parameters),
      [{ pattern: 5, color1: 'red', ledlvl: '56' }],
    );
  });

  it('refuses what is no operation', async () => {
    const { device, client } = await fixture.door();
    const call = client.call.bind(client) as UntypedCall;
    for (const odd of [undefined, null, 'door/munlock', { name: 'door/munlok' }, { name: 'toString' }]) {
      const error = await failureOf(call(odd, {}));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.match(error.message, /operation\("door\/munlock"\)/);
    }
    assert.deepEqual(device.log, []);
  });

  it('refuses a limit that is none', async () => {
    const { device, client } = await fixture.door();
    const call = client.call.bind(client) as UntypedCall;
    for (const timeoutMs of ['5000', 0, -1, Number.NaN, null]) {
      const error = await failureOf(call(operation('info/about'), {}, { timeoutMs }));
      assert.equal(error.code, 'INVALID_PARAMETER');
      assert.match(error.message, /^timeoutMs .*: info\/about; /);
    }
    assert.deepEqual(device.log, []);
  });

  it('ends by its own limit, and by a signal', async () => {
    const gate = new ResponseGate();
    const client = fixture.program({ address: await fixture.http(gate.respond), auth: 'none' });
    const late = await failureOf(client.call(operation('info/about'), {}, { timeoutMs: 50 }));
    assert.equal(late.code, 'TIMEOUT');
    const abort = new AbortController();
    const call = client.call(operation('info/about'), {}, { signal: abort.signal });
    await gate.next();
    abort.abort();
    assert.equal((await failureOf(call)).code, 'ABORTED');
  });

  it('is traced without a secret, and warns of what a person should know', async () => {
    const lines: string[] = [];
    const warnings: string[] = [];
    const trace = (line: string) => lines.push(line);
    const warn = (line: string) => warnings.push(line);
    const { device, client } = await fixture.door({ trace, warn });
    await client.call(operation('door/lock'), { doorid: 'local' });
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]), /^POST \/api\/controls\/door\/lock: signed .*status 200$/);
    assert.ok(!lines.join().includes('secret'));
    assert.deepEqual(warnings, []);
    const basic = fixture.program({ address: device.address, auth: 'basic', password: 'secret' }, { warn });
    await failureOf(basic.call(operation('info/about')));
    assert.equal(warnings.length, 1);
    assert.match(String(warnings[0]), /\bBasic\b/);
  });

  it('lets Node print the warnings that nobody takes', async () => {
    const device = await fixture.virtual({ auth: 'basic' });
    const client = fixture.program({ address: device.address, auth: 'basic', password: 'secret' });
    const [warning] = await warningsOf(() => client.call(operation('info/about')));
    assert.match(warning ?? '', /^DeviceWarning: .*\bBasic\b/);
  });

  it('is not harmed by a listener that throws', async () => {
    const fail = () => {
      throw new Error('the disk is full');
    };
    const device = await fixture.virtual({ auth: 'basic' });
    const settings = { address: device.address, auth: 'basic', password: 'secret' } as const;
    const client = fixture.program(settings, { trace: fail, warn: fail });
    assert.equal((await client.call(operation('info/about'))).statusCode, 200);
  });
});
