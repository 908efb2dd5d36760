import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './document';

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
    noEmit: true,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules', '@types')],
  };
  const program = ts.createProgram([path.join(folder, 'generated-client.mts')], options);
  const host = { getCurrentDirectory: () => folder, getCanonicalFileName: String, getNewLine: () => '\n' };
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
}

describe('a client generated from the OpenAPI document', () => {
  it('compiles with requests that devices accept, and with no others', async () => {
    const folder = await mkdtemp(path.join(__dirname, 'client-'));
    try {
      const source = path.join(root, 'test', 'documents', 'generated-client.mts');
      await copyFile(source, path.join(folder, 'generated-client.mts'));
      await writeFile(path.join(folder, 'generated.d.ts'), await generate());
      assert.equal(compile(folder), '');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
