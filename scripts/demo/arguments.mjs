import { parseArgs } from 'node:util';

export const help = `Starts Node-RED with this package, a demo flow and virtual devices behind it.

  npm start -- [options]

  --sites             a centre and two sites instead, with an MQTT broker between them (Mosquitto)
  --port <number>     port of the editor; default 1880, 0 picks a free one. With --sites the first of three
  --host <address>    address to listen on; default 127.0.0.1. The editor has no login
  --fresh             start again: forget what was changed in the demo flow
  --user-dir <path>   where Node-RED keeps its files; default .node-red-demo
  --help              show this

Node-RED 5 starts, on the Node 24 that the install brought. ALGO_NODE=own npm start takes Node-RED 4.1, on your own
Node; without that Node 24 your own runs the newest of the two that it can.
`;

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'user-dir': { type: 'string' },
  fresh: { type: 'boolean' },
  sites: { type: 'boolean' },
  help: { type: 'boolean' },
};

/**
 * Parses the command line.
 * @throws Error with one sentence for the user
 */
export function readArguments(args, environment) {
  refuseWhatNpmKept(environment);
  const values = parse(args);
  const port = values.port ?? '1880';
  const last = values.sites ? 65533 : 65535;
  if (!/^\d{1,5}$/.test(port) || Number(port) > last) {
    throw new Error(`--port must be a number from 0 to ${last}, not "${port}"`);
  }
  return {
    port: Number(port),
    host: values.host || '127.0.0.1',
    userDir: values['user-dir'] || '.node-red-demo',
    fresh: values.fresh ?? false,
    sites: values.sites ?? false,
    help: values.help ?? false,
  };
}

function parse(args) {
  try {
    return parseArgs({ args, options: flags }).values;
  } catch (error) {
    // Node adds advice about `--` after the first sentence, which does not apply here.
    throw new Error(`${error.message.split('. ')[0]}. What there is: npm start -- --help`);
  }
}

/**
 * Rejects options that npm kept. Without a preceding `--`, npm keeps the options and shows them only in the
 * environment.
 */
function refuseWhatNpmKept(environment) {
  const isKept = (name) => Boolean(environment[`npm_config_${name.replaceAll('-', '_')}`]);
  if (!Object.keys(flags).some(isKept)) return;
  throw new Error('npm kept the options for itself; put two dashes before them: npm start -- --port 1881');
}
