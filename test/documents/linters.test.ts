import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { document, root } from './document';

interface Linted {
  readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number };
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

/** What redocly's `recommended` finds in a document, `.redocly.lint-ignore.yaml` beside it left out. */
async function lint(file: string): Promise<Linted> {
  const program = path.join(path.dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'lint', path.basename(file), '--extends=recommended', '--format=json'],
    {
      cwd: path.dirname(file),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((failed: { stdout: string }) => failed);
  return JSON.parse(stdout) as Linted;
}

describe('linters of other people', () => {
  it('swagger-parser finds the OpenAPI document right', async () => {
    const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
    await SwaggerParser.validate(structuredClone(document) as never);
  });

  it('redocly finds nothing but paths that end in a slash, as two of the device do', async () => {
    const { problems, totals } = await lint(path.join(root, 'openapi.json'));
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 2 });
  });
});
