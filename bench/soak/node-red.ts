/**
 * Node-RED in a process of its own, as its parent wants it: deploys what it is given, hands messages to nodes and
 * tells what becomes of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Flow } from './flow';
import { now, type Receipt, type SplitPart, type Stall } from './history';
import { recordStalls } from './stalls';

/** What the parent asks. */
export type Ask =
  | { readonly deploy: Flow; readonly type: string }
  | { readonly deliver: readonly { readonly node: string; readonly content: Record<string, unknown> }[] }
  | { readonly resources: true };

/** Something that happened to a message. */
export interface News {
  readonly id: number;
  readonly what: 'sent' | 'undelivered' | 'end' | 'out' | 'completed' | 'caught';
  readonly at: number;
  readonly failed?: boolean;
  readonly code?: string;
  readonly receipts?: readonly Receipt[];
  /** Present in a split message. */
  readonly split?: SplitPart;
}

export interface Resources {
  /** How many of each kind keep the process alive, and how many listen for what happens in it. */
  readonly active: Readonly<Record<string, number>>;
  readonly heapBytes: number;
  /** When nothing could happen, since this was asked for the last time. */
  readonly stalls: readonly Stall[];
}

/** What is told to the parent, at most one of them in a message. */
export interface ChildMessage {
  readonly ready?: true;
  readonly deployed?: { readonly from: number; readonly to: number };
  readonly news?: readonly News[];
  readonly resources?: Resources;
  /** A warning, a rejection that nobody handled, or a line of the log. */
  readonly complaint?: string;
  readonly log?: string;
}

interface Delivered {
  readonly soak?: number;
  receipts?: (Receipt & { response?: unknown })[];
  error?: { code?: string };
  parts?: { index: number; count: number };
}

// biome-ignore lint/suspicious/noExplicitAny: the types of Node-RED say little of its hooks and runtime API
const RED: any = require(process.argv[2] ?? 'node-red');
const root = path.resolve(__dirname, '../../..');
const userDir = mkdtempSync(path.join(os.tmpdir(), 'algo-soak-'));
const tell = (message: ChildMessage): void => void process.send?.(message);
let stalls: Stall[] = [];

/** Milliseconds that a deploy may take at most: longer than nodes may take to close. */
const deployLimitMs = 60_000;

let news: News[] = [];
function report(item: News): void {
  if (news.length === 0) {
    setTimeout(() => {
      tell({ news });
      news = [];
    }, 5);
  }
  news.push(item);
}

/** Without the long answers that some devices give. */
function short(receipts: Delivered['receipts']): readonly Receipt[] | undefined {
  return receipts?.map((receipt) => ({
    ...receipt,
    ...(receipt.response !== undefined && { response: JSON.stringify(receipt.response).slice(0, 300) }),
  }));
}

const splitPartOf = (
  { index, count }: { index: number; count: number },
  receipts: Delivered['receipts'],
) => ({
  index,
  count,
  devices: (receipts ?? []).map(({ device }) => device),
});

function soakSink(role: 'out' | 'completed' | 'caught', { soak, receipts, error, parts }: Delivered): void {
  if (soak === undefined) return;
  const seen = role === 'completed' ? undefined : short(receipts);
  report({
    id: soak,
    what: role,
    at: now(),
    ...(seen && { receipts: seen }),
    ...(role === 'out' && parts && { split: splitPartOf(parts, receipts) }),
    ...(error?.code !== undefined && { code: error.code }),
  });
}

function onComplete(event: { msg?: Delivered; error?: { code?: string }; node: { node: { type: string } } }) {
  const { msg, error, node } = event;
  if (msg?.soak === undefined || !node.node.type.startsWith('algo-')) return;
  const receipts = short(msg.receipts);
  report({
    id: msg.soak,
    what: 'end',
    at: now(),
    failed: error !== undefined && error !== null,
    ...(error?.code !== undefined && { code: error.code }),
    ...(receipts && { receipts }),
  });
}

function deliver(list: readonly { node: string; content: Record<string, unknown> }[]): void {
  for (const { node: id, content } of list) {
    const node = RED.nodes.getNode(id);
    report({ id: Number(content.soak), what: node ? 'sent' : 'undelivered', at: now() });
    node?.receive(content);
  }
}

async function deploy({ flows, credentials }: Flow, type: string): Promise<void> {
  const from = now();
  // What is deployed is started only after the deploy was answered.
  const started = new Promise<void>((resolve, reject) => {
    RED.events.once('flows:started', resolve);
    setTimeout(() => reject(new Error('the flow did not start')), deployLimitMs).unref();
  });
  await RED.runtime.flows.setFlows({ flows: { flows, credentials }, deploymentType: type });
  await started;
  tell({ deployed: { from, to: now() } });
}

const listeners = (emitter: NodeJS.EventEmitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);

async function resources(): Promise<Resources> {
  const active: Record<string, number> = {
    'listeners of Node-RED': listeners(RED.events),
    'listeners of the process': listeners(process),
  };
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
  // Twice: what the first collection frees of streams and sockets goes with the second.
  global.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 200));
  global.gc?.();
  const noted = stalls;
  stalls = [];
  const { heapUsed, external } = process.memoryUsage();
  return { active, heapBytes: heapUsed + external, stalls: noted };
}

const complain = (what: string) => (error: unknown) =>
  tell({ complaint: `${what}: ${(error as Error)?.stack ?? error}` });

function giveUp(error: unknown): void {
  complain('deploy')(error);
  process.exitCode = 1;
  process.disconnect();
}

async function start(): Promise<void> {
  // Those that count as resources of ours would look like a leak if they began later.
  recordStalls((stall) => stalls.push(stall));
  process.on('exit', () => rmSync(userDir, { recursive: true, force: true }));
  process.on('disconnect', () => process.exit());
  process.on('warning', complain('process warning'));
  process.on('unhandledRejection', complain('unhandled rejection'));
  process.on('uncaughtException', complain('uncaught exception'));
  process.on('message', (ask: Ask) => {
    if ('deliver' in ask) deliver(ask.deliver);
    else if ('deploy' in ask) void deploy(ask.deploy, ask.type).catch(giveUp);
    else void resources().then((found) => tell({ resources: found }));
  });
  RED.init(http.createServer(), {
    userDir,
    flowFile: 'flows.json',
    credentialSecret: false,
    httpAdminRoot: false,
    httpNodeRoot: false,
    nodesDir: [path.join(root, 'bench/soak/nodes'), path.join(root, 'dist/nodes')],
    telemetry: { enabled: false, updateNotification: false },
    logging: {
      soak: {
        level: 'warn',
        metrics: false,
        audit: false,
        handler: () => (entry: { type?: string; msg: unknown; name?: string; id?: string }) =>
          tell({ log: `${entry.type ?? ''} ${entry.name ?? entry.id ?? ''}: ${entry.msg}` }),
      },
    },
    soakSink,
  });
  RED.hooks.add('onComplete.soak', onComplete);
  await RED.start();
  tell({ ready: true });
}

void start();
