import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { VirtualDevice } from '../../src/virtual-device/device';
import type { InstalledNodeRed } from '../fixtures/installed-node-red';
import { moduleName, root } from '../fixtures/pack';
import { type Ending, Program } from '../fixtures/program';
import { onMessage, onStop, pointedAt, script } from './library-page';

/** Starts, a wrong one among them, and a stop, none of which waits for another one's answer. */
const unawaited = `
const { DeviceClient, DeviceError, operation } = require('${moduleName}');
const speaker = new DeviceClient({ address: process.env.ADDRESS, password: 'secret' });
const start = (parameters) => speaker.call(operation('tone/start'), { ...parameters, loop: false });
const ends = [
  start({ path: 'gong.wav' }),
  speaker.call(operation('tone/stop')),
  start({ path: 'bell-na.wav' }),
  start({ pth: 'dogs.wav' }),
  start({ path: 'chime.wav' }),
].map((call) => call.then(({ statusCode }) => statusCode, (error) => error instanceof DeviceError && error.code));
void Promise.all(ends).then(async (list) => {
  await speaker.close();
  console.log(JSON.stringify(list));
});
`;

/** One start waits for another; the client is not closed. */
const unclosed = `
const { DeviceClient, operation } = require('${moduleName}');
const speaker = new DeviceClient({ address: process.env.ADDRESS, password: 'secret' });
const start = () => speaker.call(operation('tone/start'), { path: 'gong.wav', loop: false });
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
// The minute for which a start may wait, for example.
void Promise.all([start(), start()]).then(() => console.log('started; what it waits for:', timers().length));
`;

/** What compiles, and what must not. */
const typed = `
import { DeviceClient, DeviceError, type DeviceSettings, type ErrorCode, operation, operationNames } from '${moduleName}';

const settings: DeviceSettings = { address: '192.0.2.10', password: process.env.DOOR_PASSWORD };
export async function unlock(): Promise<ErrorCode | undefined> {
  const door = new DeviceClient(settings, { warn: (line) => console.warn(line) });
  try {
    await door.call(operation('door/munlock'), { doorid: 'local', duration: 5 }, { timeoutMs: 2000 });
    await door.call(operation('info/about'));
    await door.call(operation('settings/put'), { 'audio.page.vol': '-12dB', 'api.admin.pwd': 7 });
    await door.call(operation('files/put'), { path: 'a.txt', content: Buffer.from('a') });
    const { statusCode, body } = await door.send({ method: 'GET', path: '/api/info/about' });
    // @ts-expect-error misspelt
    await door.call(operation('door/munlock'), { doorid: 'local', duraton: 5 });
    // @ts-expect-error one is missing
    await door.call(operation('door/munlock'), { doorid: 'local' });
    // @ts-expect-error all are missing
    await door.call(operation('door/munlock'));
    // @ts-expect-error there is no such door
    await door.call(operation('door/lock'), { doorid: 'garage' });
    // @ts-expect-error there is no such operation
    await door.call(operation('door/munlok'), {});
    // @ts-expect-error it has no parameters
    await door.call(operation('info/about'), { verbose: true });
    // @ts-expect-error there is no such setting
    new DeviceClient({ ...settings, timeout: 5 });
    // @ts-expect-error a body has to be looked at
    console.log(statusCode, body.length);
    return undefined;
  } catch (error) {
    return error instanceof DeviceError ? error.code : undefined;
  } finally {
    await door[Symbol.asyncDispose]();
  }
}
export const first: string | undefined = operationNames[0];
`;

/** What a strict compiler says that knows Node's types and no others. */
function mistakesIn(files: readonly string[]): string[] {
  const program = ts.createProgram([...files], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.Node16,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    typeRoots: [path.join(root, 'node_modules', '@types')],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

/** A page that calls a device, with the code of docs/library.md in its Function node. */
function flowFor(address: string, code: string) {
  const at = { z: 'tab', x: 100, y: 100 };
  return [
    { id: 'tab', type: 'tab', label: 'Door', env: [{ name: 'DOOR_PASSWORD', type: 'str', value: 'secret' }] },
    { ...at, id: 'ask', type: 'http in', url: '/unlock', method: 'post', wires: [['call']] },
    {
      ...at,
      id: 'call',
      type: 'function',
      func: pointedAt(address, code),
      finalize: onStop,
      outputs: 1,
      libs: [{ var: 'algo', module: moduleName }],
      wires: [['answer']],
    },
    { ...at, id: 'catch', type: 'catch', scope: ['call'], wires: [['tell']] },
    {
      ...at,
      id: 'tell',
      type: 'function',
      func: 'const { code, message } = msg.error; msg.payload = { code, message, outcome: msg._error.outcome }; return msg;',
      outputs: 1,
      wires: [['answer']],
    },
    { ...at, id: 'answer', type: 'http response', wires: [] },
  ];
}

/** @param installed gives the Node-RED that the package is installed in; there once the tests run */
export function describeLibrary(installed: () => InstalledNodeRed): void {
  const door = new VirtualDevice({ model: '8063', password: 'secret' });
  const speaker = new VirtualDevice({ model: '8301', password: 'secret' });
  const devices = [door, speaker];

  before(async () => {
    await Promise.all(devices.map((device) => device.start()));
  });

  after(async () => {
    await Promise.all(devices.map((device) => device.stop()));
  });

  /** Runs a script where the package is installed. */
  async function run(
    name: string,
    code: string,
    env: NodeJS.ProcessEnv,
  ): Promise<Ending & { output: string }> {
    const { directory } = installed();
    await writeFile(path.join(directory, name), code);
    const program = new Program(process.execPath, [name], {
      cwd: directory,
      env: { ...process.env, ...env },
    });
    const ending = await program.ended;
    return { ...ending, output: program.output };
  }

  const requestsTo = (device: VirtualDevice, from: number) =>
    device.log
      .slice(from)
      .map(({ path: place, parameters }) => [place.split('/').slice(-2).join('/'), parameters]);

  it('runs the script of its page, an ES module', async () => {
    const from = door.log.length;
    const env = { DOOR_PASSWORD: 'secret' };
    const { code, output } = await run('unlock.mjs', pointedAt(door.address, script), env);
    assert.equal(code, 0, output);
    assert.match(output, /^unlocked for 5 s by .*8063/s);
    assert.deepEqual(requestsTo(door, from), [
      ['door/munlock', { doorid: 'local', duration: '5' }],
      ['info/about', undefined],
    ]);
  });

  it('says in that script what went wrong', async () => {
    const { code, output } = await run('wrong.mjs', pointedAt(door.address, script), {
      DOOR_PASSWORD: 'scret',
    });
    assert.equal(code, 1);
    assert.match(output, /^AUTHENTICATION, failed: .*: door\/munlock at "Front door" /);
  });

  it('keeps the order and sends nothing that is wrong, in a CommonJS script', async () => {
    const from = speaker.log.length;
    const { code, output } = await run('unawaited.cjs', unawaited, { ADDRESS: speaker.address });
    assert.equal(code, 0, output);
    assert.deepEqual(JSON.parse(output), ['SUPERSEDED', 200, 200, 'INVALID_PARAMETER', 200]);
    assert.deepEqual(requestsTo(speaker, from), [
      ['tone/stop', undefined],
      ['tone/start', { path: 'bell-na.wav', loop: false }],
      ['tone/start', { path: 'chime.wav', loop: false }],
    ]);
  });

  it('lets a script end that closes nothing', async () => {
    const { code, output } = await run('unclosed.cjs', unclosed, { ADDRESS: speaker.address });
    assert.deepEqual([code, output], [0, 'started; what it waits for: 0\n']);
  });

  it('brings types that a strict compiler takes, and that refuse what is wrong', async () => {
    const files = ['consumer.mts', 'consumer.cts'].map((name) => path.join(installed().directory, name));
    for (const file of files) await writeFile(file, typed);
    assert.deepEqual(mistakesIn(files), []);
  });

  describe('in a Function node', () => {
    const ask = async (payload: unknown): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${installed().address}/unlock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      });
      return answer.json() as Promise<Record<string, unknown>>;
    };

    it('calls a device and gets its answer, also after another deploy', async () => {
      for (const code of [onMessage, `${onMessage}\n`]) {
        const from = door.log.length;
        assert.doesNotMatch(await installed().deploy(flowFor(door.address, code)), /nstall/);
        assert.deepEqual(await ask({ doorid: 'netdc1', duration: 3 }), { statusCode: 200 });
        assert.deepEqual(requestsTo(door, from), [['door/munlock', { doorid: 'netdc1', duration: '3' }]]);
      }
    });

    it('tells a Catch node of a wrong parameter, and sends nothing', async () => {
      const from = door.log.length;
      const { code, message, outcome } = await ask({ doorid: 'netdc1', duraton: 3 });
      assert.deepEqual([code, outcome], ['INVALID_PARAMETER', 'failed']);
      assert.match(String(message), /^DeviceError: .*duraton.*: door\/munlock; .*; nothing was sent$/);
      assert.deepEqual(requestsTo(door, from), []);
    });
  });
}
