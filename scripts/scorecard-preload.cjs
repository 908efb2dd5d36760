/**
 * Loaded before node-red-dev, which sends requests to two fixed hosts. The catalogue of the Flow Library
 * might be unreachable, so the answer lists no other package. Versions of Node-RED are read from the registry
 * that npm is configured for.
 */
const { execFileSync } = require('node:child_process');
const { createRequire } = require('node:module');

const axios = createRequire(process.argv[1])('axios');
const get = axios.get.bind(axios);

axios.get = async (url, ...rest) => {
  if (url === 'https://catalogue.nodered.org/catalogue.json') return { data: { modules: [] } };
  if (/^https:\/\/[^/]+\/node-red$/.test(url)) return { data: readNodeRed() };
  return get(url, ...rest);
};

/** Returns the part of the registry's answer that the validator reads. */
function readNodeRed() {
  const fields = ['dist-tags', 'version', 'engines'];
  const command = [
    process.env.ALGO_NPM_CLI,
    'view',
    'node-red@latest',
    ...fields,
    '--json',
    '--loglevel',
    'error',
  ];
  const { version, engines, ...tags } = JSON.parse(
    execFileSync(process.execPath, command, { encoding: 'utf8' }),
  );
  return { ...tags, versions: { [version]: { engines } } };
}
