import assert from 'node:assert/strict';
import path from 'node:path';
import { Program } from './program';

/** Of this repository. */
export const root = path.resolve(__dirname, '..', '..', '..');

export const moduleName = '@openpaging/node-red-algo';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Runs the npm that Node-RED brings, and resolves to what it wrote. */
export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const cli = path.join(path.dirname(require.resolve('npm/package.json')), 'bin', 'npm-cli.js');
  const program = new Program(process.execPath, [cli, ...args], { cwd });
  const { code } = await program.ended;
  assert.equal(code, 0, program.output);
  return program.output;
}

/** Packs the package as it is built; building again would take the running tests away. */
export async function pack(...options: string[]): Promise<Packed> {
  const output = await npm(root, 'pack', '--json', '--ignore-scripts', '--loglevel', 'error', ...options);
  const [packed]: Packed[] = JSON.parse(output);
  assert.ok(packed);
  return packed;
}
