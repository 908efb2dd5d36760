import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Flows, credentials and settings as Node-RED names them in its user directory, backups included. */
const nodeRedFiles = /^\.?(?:flows|config)[._].*json/;

/**
 * Makes Node-RED's user directory ready: a flow of the demo in it, unless there is a flow already.
 * @param {string} flow its file, beside this one
 */
export async function prepareUserDirectory(directory, fresh, flow = 'flow.json') {
  await mkdir(directory, { recursive: true });
  if (fresh) await forget(directory);
  const flows = path.join(directory, 'flows.json');
  if (!existsSync(flows)) await copyFile(fileURLToPath(new URL(flow, import.meta.url)), flows);
}

/** The key that Node-RED encrypts credentials with: made once, kept beside them. */
export async function credentialSecret(directory) {
  const file = path.join(directory, '.credential-secret');
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

async function forget(directory) {
  const files = (await readdir(directory)).filter((name) => nodeRedFiles.test(name));
  await Promise.all(files.map((name) => rm(path.join(directory, name))));
}
