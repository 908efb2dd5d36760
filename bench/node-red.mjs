/** Node-RED with the flow that its parent sends. */

import * as crypto from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen, sawEdge } from './report.mjs';

const require = createRequire(import.meta.url);
const RED = require(process.argv[2]);
const here = path.dirname(fileURLToPath(import.meta.url));

listen();
const [{ flow, credentials }] = await once(process, 'message');
const userDir = await mkdtemp(path.join(tmpdir(), 'algo-bench-'));
process.on('exit', () => void rm(userDir, { recursive: true, force: true }));
await writeFile(path.join(userDir, 'flows.json'), JSON.stringify(flow));
await writeFile(path.join(userDir, 'flows_cred.json'), JSON.stringify(credentials));
RED.init(http.createServer(), {
  userDir,
  flowFile: 'flows.json',
  credentialSecret: false,
  httpAdminRoot: false,
  httpNodeRoot: false,
  nodesDir: [path.join(here, 'nodes'), path.join(here, '..', 'dist', 'nodes')],
  functionGlobalContext: { crypto },
  logging: { console: { level: 'fatal', metrics: false, audit: false } },
  sawEdge,
});
await RED.start();
process.send({ started: true });
