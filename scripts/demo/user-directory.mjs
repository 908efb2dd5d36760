import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node-RED's files for flows, credentials and settings in its user directory, including backups. */
const nodeRedFiles = /^\.?(?:flows|config)[._].*json/;

/**
 * Prepares Node-RED's user directory. Copies a flow of the demo unless there is a flow already.
 * @param {string} flow file in the folder of this script
 */
export async function prepareUserDirectory(directory, fresh, flow = 'flow.json') {
  await mkdir(directory, { recursive: true });
  if (fresh) await forget(directory);
  const flows = path.join(directory, 'flows.json');
  if (!existsSync(flows)) await copyFile(fileURLToPath(new URL(flow, import.meta.url)), flows);
}

/**
 * Returns the key that encrypts Node-RED's credentials. The key is created once and stored in the same
 * directory.
 */
export async function credentialSecret(directory) {
  const file = path.join(directory, '.credential-secret');
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

async function forget(directory) {
  const files = (await readdir(directory)).filter((name) => nodeRedFiles.test(name));
  await Promise.all(files.map((name) => rm(path.join(directory, name))));
}
