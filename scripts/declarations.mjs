import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const main = 'dist/src/library/index.d.ts';

/**
 * Writes the declarations of the package's `main`, and those they import, into the finished build. No other
 * part of the package has declarations.
 */
export function writeDeclarations() {
  const { parameterTypes } = require('../dist/src/documents/parameter-types.js');
  const all = { ...declarations(), 'dist/src/library/parameters.d.ts': parameterTypes() };
  for (const file of reached(all, [main])) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), all[file]);
  }
}

/** Returns the compiler's declarations of the library and its imports, by path. */
function declarations() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const config = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), {}, host);
  // `npm run check` checks the types.
  const options = { ...config.options, declaration: true, emitDeclarationOnly: true, noCheck: true };
  const program = ts.createProgram([path.join(root, 'src/library/index.ts')], options);
  const files = {};
  const { diagnostics } = program.emit(undefined, (file, text) => {
    files[path.relative(root, file).replaceAll(path.sep, '/')] = text;
  });
  diagnostics.forEach(fail);
  return files;
}

/** Returns the given files and the files they import. */
function reached(all, files, found = new Set()) {
  for (const file of files.filter((one) => !found.has(one))) {
    if (all[file] === undefined) throw new Error(`${file} is mentioned and not declared`);
    found.add(file);
    const mentioned = ts.preProcessFile(all[file]).importedFiles.map(({ fileName }) => fileName);
    const ours = mentioned.filter((name) => name.startsWith('.'));
    reached(
      all,
      ours.map((name) => `${path.posix.join(path.posix.dirname(file), name)}.d.ts`),
      found,
    );
  }
  return found;
}

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}
