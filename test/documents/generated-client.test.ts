import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { VirtualDevice, type VirtualDeviceOptions } from '../../src/virtual-device/device';
import { sendJson, sign } from '../fixtures/signer';
import { root } from './document';

/** What `generated-client.mts` exports. It is not imported by its name: half of it is generated below. */
interface Program {
  connect(baseUrl: string, authentication?: Authentication): Client;
  command(client: Client): Promise<number[]>;
  read(client: Client): Promise<unknown>;
  store(client: Client, first: Blob, second: Blob): Promise<Readonly<Record<string, unknown>>>;
  remove(client: Client): Promise<number>;
  schedule(client: Client): Promise<{ evid: number; names: string[]; day: unknown }>;
  uploadAndPlay(client: Client, tone: Blob): Promise<number>;
}

interface Client {
  readonly GET: unknown;
}

/** A middleware, as openapi-fetch calls it. */
interface Authentication {
  onRequest(about: { readonly request: Request }): Promise<Request>;
}

/** Types from openapi.json; bytes become a Blob, as the generator's own handbook has it. */
async function generate(): Promise<string> {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const blob = ts.factory.createTypeReferenceNode('Blob');
  const nodes = await openapiTS(pathToFileURL(path.join(root, 'openapi.json')), {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  });
  return astToString(nodes);
}

/** Compiles the client in a folder; gives what the compiler finds wrong, one a line. */
function compile(folder: string): string {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules', '@types')],
  };
  const program = ts.createProgram([path.join(folder, 'generated-client.mts')], options);
  const found = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  const host = { getCurrentDirectory: () => folder, getCanonicalFileName: String, getNewLine: () => '\n' };
  return ts.formatDiagnostics(found, host);
}

function signature(password: string): Authentication {
  return {
    async onRequest({ request }) {
      const body = Buffer.from(await request.clone().arrayBuffer());
      const type = request.headers.get('content-type') ?? '';
      const headers = sign(request.method, new URL(request.url).pathname, { body, type, password });
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return request;
    },
  };
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('a client generated from the OpenAPI document', () => {
  let folder: string;
  let program: Program;

  before(async () => {
    folder = await mkdtemp(path.join(__dirname, 'client-'));
    const source = path.join(root, 'test', 'documents', 'generated-client.mts');
    await copyFile(source, path.join(folder, 'generated-client.mts'));
    await writeFile(path.join(folder, 'generated.d.ts'), await generate());
    assert.equal(compile(folder), '');
    program = await import(pathToFileURL(path.join(folder, 'generated-client.mjs')).href);
  });

  after(() => rm(folder, { recursive: true }));

  async function withDevice(
    options: VirtualDeviceOptions,
    test: (device: VirtualDevice, address: string) => Promise<void>,
  ) {
    const device = new VirtualDevice(options);
    try {
      await test(device, await device.start());
    } finally {
      await device.stop();
    }
  }

  it('commands a display, signed', () =>
    withDevice({ model: '8410', password: 'a:pass wörd' }, async (device, address) => {
      const refused = await program.command(program.connect(address, signature('guessed')));
      assert.deepEqual(refused, [403, 403, 403, 403, 403, 403]);
      assert.equal(device.state.strobe, null);

      const client = program.connect(address, signature('a:pass wörd'));
      assert.deepEqual(await program.command(client), [200, 200, 200, 200, 200, 204]);
      const { strobe, screen, tone, emergency } = device.state;
      assert.deepEqual(strobe, { pattern: 3, color1: 'red', ledlvl: '255' });
      assert.deepEqual(screen, { type: 'template', template: 'announcement', text1: 'Assembly at 10:30' });
      assert.deepEqual([tone?.path, tone?.loop, tone?.mcast], ['chime.wav', true, true]);
      assert.equal(emergency, null);
      assert.deepEqual(await program.read(client), {
        firmware: '5.7',
        first: 'bell-na.wav',
        volume: '-12dB',
      });
    }));

  it('stores, reads and deletes files in folders, signed', () =>
    withDevice({ model: '8410', password: 'secret' }, async (_device, address) => {
      const client = program.connect(address, signature('secret'));
      const { listed, ...stored } = await program.store(client, new Blob(['first']), new Blob(['second']));
      assert.deepEqual(stored, {
        statuses: [200, 200],
        contents: ['first', 'second', 'second'],
        sums: [md5('first'), md5('second')],
        inFolder: { filelist: ['bell?.wav'] },
      });
      const listing = async () => {
        const { text } = await sendJson(address, 'GET /api/files/tones', undefined, { password: 'secret' });
        return (JSON.parse(text) as { filelist: string[] }).filelist;
      };
      const names = await listing();
      assert.ok(names.includes('Päusen #1 100%.wav') && names.includes('west wing'), String(names));
      assert.deepEqual(listed, names);
      assert.equal(await program.remove(client), 200);
      assert.deepEqual(
        await listing(),
        names.filter((name) => name !== 'Päusen #1 100%.wav'),
      );
    }));

  it('schedules, without authentication', () =>
    withDevice({ model: '8301', auth: 'none' }, async (_device, address) => {
      const { evid, names, day } = await program.schedule(program.connect(address));
      const instance = { evid, name: 'Morning bell', color: '#ff8800', start_time: '08:00', skipped: 0 };
      assert.deepEqual(day, { format: 'v2.0', events: { '2099-09-02': [instance] } });
      assert.deepEqual(names, ['Morning bell']);
    }));

  it('uploads a sound in a form, signed', () =>
    withDevice({ model: '8301', password: 'secret' }, async (device, address) => {
      const wave = new Blob(['RIFF\x24\0\0\0WAVE not much of a sound'], { type: 'audio/wav' });
      assert.equal(await program.uploadAndPlay(program.connect(address, signature('secret')), wave), 200);
      assert.deepEqual(device.state.upload, { path: 'uploaded file', loop: true, duration: 30 });
    }));
});
