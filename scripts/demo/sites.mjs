import path from 'node:path';
import { listenFailure, tryToListen, urlOf } from './address.mjs';
import { findMosquitto, startMosquitto } from './mosquitto.mjs';
import { startNodeRed } from './node-red.mjs';
import { prepareUserDirectory } from './user-directory.mjs';
import { welcomeToSites } from './welcome-sites.mjs';

const names = ['centre', 'north', 'south'];

/** Checks before any build whether the demo of many sites can start. */
export async function checkSites({ host, port }) {
  findMosquitto();
  for (const one of portsFrom(port)) {
    await tryToListen(host, one).catch((error) => {
      throw listenFailure(error, { host, port: one });
    });
  }
}

/**
 * Runs a broker, a centre and two sites, each in its own process, until the demo is told to end or one of
 * them ends. Resolves to the exit code.
 * @param {(end: () => void) => void} onEnd receives the function that ends all of them
 */
export async function runSites({ host, port, userDir, fresh }, onEnd) {
  console.log('Starting a broker and three Node-REDs ...');
  const broker = await startMosquitto(findMosquitto(), path.join(userDir, 'broker'));
  const running = [];
  let failed = false;
  let ending = false;
  const end = () => {
    ending = true;
    for (const nodeRed of running) nodeRed.end();
  };
  onEnd(end);
  const fail = (error) => {
    if (!ending) console.error(error.message);
    failed ||= !ending;
    end();
  };
  broker.ended.then(() => fail(new Error('The broker ended unexpectedly')));
  const ports = portsFrom(port);
  for (const [index, name] of names.entries()) {
    const own = path.join(userDir, name);
    await prepareUserDirectory(own, fresh, `sites/${name}.json`);
    if (ending) break;
    const env = { ALGO_DEMO_BROKER: String(broker.port) };
    running.push(startNodeRed({ host, port: ports[index], userDir: own, label: name, env }));
  }
  const ready = Promise.all(running.map((nodeRed) => nodeRed.ready));
  ready.then((all) => {
    if (ending) return;
    const shown = all.map((one, index) => ({ ...one, name: names[index], url: urlOf(host, one.port) }));
    console.log(welcomeToSites(shown, host));
  }, fail);
  const ends = running.map(async (nodeRed) => {
    const trouble = await nodeRed.ended;
    // The demo needs all of its Node-REDs.
    fail(new Error(trouble || 'A Node-RED of the demo has ended'));
    return trouble;
  });
  const troubles = await Promise.all(ends);
  broker.end();
  await broker.ended;
  return failed || troubles.some(Boolean) ? 1 : 0;
}

/** Returns the ports of the centre and the sites; with 0, each gets a free port. */
function portsFrom(port) {
  return names.map((_, index) => (port === 0 ? 0 : port + index));
}
