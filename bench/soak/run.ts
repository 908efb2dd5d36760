/** One run: devices here, Node-RED in a process of its own, and between them all the messages. */
import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Courses } from './courses';
import { type Certificate, MisbehavingDevice } from './device';
import { fleetOf, type Profile, password } from './fleet';
import { type Flow, flowOf, type Running } from './flow';
import { type Deploy, type History, now, type Stall } from './history';
import { Ledger } from './ledger';
import { type Planned, plan } from './messages';
import type { Resources } from './node-red';
import { NodeRed, type Runtime } from './node-red-child';
import { hash, Random } from './random';
import { Sender } from './sender';
import { recordStalls } from './stalls';
import { sendsToGroup } from './ways';

export interface Settings extends Runtime {
  readonly seed: number;
  readonly messages: number;
  readonly devices: number;
  readonly deploys: number;
  /** Names of faults that no device makes. */
  readonly except: readonly string[];
}

export interface Run {
  readonly history: History;
  readonly plan: readonly Planned[];
  readonly seconds: number;
  readonly before: Resources;
  readonly after: Resources;
}

/** Milliseconds without an end after which nothing more will come: longer than any time limit. */
const patienceMs = 150_000;

/**
 * Milliseconds in which what is sent late may still come, by devices that behave: a stop once more after the start
 * that it waited for, and what Node-RED asks for again after half a minute at most.
 */
const settleMs = 36_000;

/** So much may be kept that was not there before, as what is compiled and what is remembered of each device. */
const keptBytes = 24e6;

async function certificate(): Promise<Certificate & { fingerprint: string }> {
  const { generate } = await import('selfsigned');
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'soak' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  return { key, cert, fingerprint: new X509Certificate(cert).fingerprint256 };
}

interface Scene {
  readonly settings: Settings;
  readonly red: NodeRed;
  readonly sender: Sender;
  readonly courses: Courses;
  readonly flow: (changed: ReadonlySet<number>) => Flow;
  /** Devices behave from now on. */
  readonly calm: () => void;
}

/** Sends everything, deploys in between, and resolves when all has ended or nothing more will come. */
async function play({ settings, red, sender, courses, flow, calm }: Scene): Promise<Deploy[]> {
  const random = new Random(hash(settings.seed, 'deploys'));
  const deploys: Deploy[] = [];
  const changed = new Set<number>();
  let deploying: string | undefined;
  const send = () => {
    const mayGo = (node: string) =>
      deploying === undefined ||
      (deploying === 'nodes' && !node.startsWith('static-') && !sendsToGroup(node));
    const deliver = deploying === 'full' ? [] : sender.next(mayGo);
    if (deliver.length > 0) red.ask({ deliver });
  };
  red.onMessage(({ news = [] }) => {
    for (const item of news) {
      const message = courses.record(item);
      if (message) sender.ended(message);
    }
  });
  const deploy = async () => {
    const type = deploys.length % 3 === 2 ? 'full' : 'nodes';
    const some = Array.from({ length: 5 }, () => random.between(0, settings.devices - 1));
    for (const index of some) if (!changed.delete(index)) changed.add(index);
    deploying = type;
    deploys.push(await red.deploy(flow(changed), type, some));
    deploying = undefined;
  };
  const startedAt = now();
  const sending = setInterval(send, 5);
  while (!sender.isOver && red.isAlive && now() - Math.max(startedAt, courses.heardAt) < patienceMs) {
    await sleep(50);
    const due = (sender.ends / settings.messages) * (settings.deploys + 1);
    if (deploys.length + 1 <= due && deploys.length < settings.deploys) await deploy();
  }
  clearInterval(sending);
  calm();
  await sleep(settleMs);
  return deploys;
}

/** Milliseconds after a deploy in which what was said during it may still come; then Catch nodes see all. */
const startMs = 200;

/** What the log may say: of Node-RED itself, of settings, of readings, and of what no Catch node is left to see. */
const expectedLogs = [
  /Projects disabled|Using unencrypted credentials/,
  /Basic authentication over http exposes the password|use the scheduler over https/,
  /closed (?:meanwhile|by a deploy)|taken out by a deploy/,
  /: (?:offline after \d+ failed polls|online again)/,
  /\(once more, after a start that ended late\)$/,
  / has not succeeded; Node-RED retries until it does: /,
];

/** What is still there after everything was taken away. */
function leaks(before: Resources, after: Resources, open: readonly string[]): string[] {
  const kinds = Object.keys(after.active).filter(
    (kind) => (after.active[kind] ?? 0) > (before.active[kind] ?? 0),
  );
  return [
    ...kinds.map((kind) => `leak: ${after.active[kind]} of ${kind}, ${before.active[kind] ?? 0} before`),
    ...open.map((connection) => `leak: ${connection} after the last deploy`),
  ];
}

function grown(before: Resources, after: Resources): string[] {
  const bytes = after.heapBytes - before.heapBytes;
  return bytes > keptBytes ? [`leak: ${(bytes / 1e6).toFixed(0)} MB more than before`] : [];
}

export async function run(settings: Settings): Promise<Run> {
  const { seed, messages, devices } = settings;
  const ledger = new Ledger();
  const [secret, another] = [await certificate(), await certificate()];
  const fleet = fleetOf(seed, devices);
  const pinned: Profile = { ...fleet[0], index: devices, name: 'Wrong Pin', tls: true } as Profile;
  const all = [...fleet, pinned].map(
    (profile) => new MisbehavingDevice(profile, seed, ledger, secret, another, settings.except),
  );
  for (const device of all) await device.start();
  const running: Running[] = fleet.map((profile, index) => ({
    profile,
    address: all[index]?.address ?? '',
    fingerprint: secret.fingerprint,
  }));
  const flow = (changed: ReadonlySet<number>) =>
    flowOf(running, all[devices]?.address ?? '', password, changed);
  const planned = plan(seed, messages, fleet);
  const red = new NodeRed(settings);
  await red.next('ready');
  const before = await red.resources();
  await red.deploy(flow(new Set()), 'full', []);
  const startedAt = now();
  const stalls: Stall[] = [];
  const endNotes = recordStalls((stall) => stalls.push(stall));
  const life = setInterval(() => {
    for (const device of all.slice(0, devices)) device.live();
  }, 500);
  const courses = new Courses(planned);
  const calm = () => {
    for (const device of all) device.calm();
  };
  const deploys = await play({ settings, red, sender: new Sender(planned), courses, flow, calm });
  clearInterval(life);
  endNotes();
  const seconds = (now() - startedAt - settleMs) / 1000;
  await red.deploy({ flows: [], credentials: {} }, 'full', []);
  await sleep(3000);
  const after = await red.resources();
  const unexpected = red.logs.filter(
    ({ at, line }) =>
      !expectedLogs.some((expected) => expected.test(line)) &&
      !deploys.some(({ from, to }) => from <= at && at <= to + startMs),
  );
  const complaints = [
    ...unexpected.map(({ line }) => `log: ${line}`),
    ...ledger.complaints,
    ...red.complaints,
    ...leaks(before, after, ledger.open),
    ...grown(before, after),
  ];
  await red.stop();
  await Promise.all(all.map((device) => device.stop()));
  const history = {
    courses: courses.all(),
    requests: ledger.requests,
    losses: ledger.losses,
    deploys,
    stalls: [...stalls, ...after.stalls],
    complaints,
    logs: red.logs.map(({ line }) => line),
    endings: fleet.filter(({ ending }) => ending).map(({ index }) => index),
    bounds: Object.fromEntries(
      fleet.flatMap(({ index, queueLimit }) => (queueLimit === undefined ? [] : [[index, queueLimit]])),
    ),
  };
  return { history, plan: planned, seconds, before, after };
}
