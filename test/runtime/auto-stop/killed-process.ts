import { Journal } from '../../../src/kernel/journal/journal';
import type { Json } from '../../../src/kernel/journal/lines';
import { gridClock } from '../../../src/kernel/time/clock';
import { AutoStopScheduler } from '../../../src/runtime/auto-stop/scheduler';
import { chance } from '../../fixtures/history';

/**
 * A program that starts and stops things at a device, its parent, until it is killed. First it ends what an earlier
 * one left on, and says so. What it asks of its parent: `start`, `stop`, `end`; what it tells: `kept`, that nothing
 * ends a start any more; `arms`, that it is about to send one that is ended, and which counts as sent if it dies
 * now; `drained`, that no end is to come.
 */
export interface ChildRequest {
  readonly number: number;
  readonly kind: 'start' | 'stop' | 'end' | 'kept' | 'arms' | 'drained';
  readonly deviceOutput: number;
  /** A start that Node-RED ends. */
  readonly ends: boolean;
}

export interface ParentResponse {
  readonly number: number;
  readonly done: boolean;
}

const [folder = '', seed = ''] = process.argv.slice(2);
const random = chance(Number(seed));
const waiting = new Map<number, (done: boolean) => void>();
/** Ends under way: at a real device a start waits for them in the queue. */
const ending = new Map<number, Promise<unknown>>();

process.on('message', ({ number, done }: ParentResponse) => waiting.get(number)?.(done));
process.on('disconnect', () => process.exit());

let asked = 0;
function ask(kind: ChildRequest['kind'], deviceOutput: number, ends = false): Promise<boolean> {
  asked += 1;
  const message: ChildRequest = { number: asked, kind, deviceOutput, ends };
  return new Promise((resolve) => {
    waiting.set(message.number, resolve);
    process.send?.(message);
  });
}

const journal = Journal.open(folder, {
  warn: (sentence) => {
    throw new Error(sentence);
  },
  // It waits for the disk as long as it takes: else it goes on after a second, and a kill right then loses what it did.
  after: () => () => {},
});
const ends = new AutoStopScheduler({
  clock: gridClock,
  journal,
  warn: () => {},
  giveUp: (_end, error) => {
    throw error;
  },
  attempt({ parameters }) {
    const deviceOutput = Number(parameters.deviceOutput);
    const sent = ask('end', deviceOutput).then((done) => {
      if (!done) throw new Error('refused');
    });
    ending.set(
      deviceOutput,
      sent.catch(() => {}),
    );
    return sent;
  },
});

const pause = (longest: number) => new Promise((resolve) => setTimeout(resolve, random() * longest));
const end = (deviceOutput: number, parameters: Record<string, Json> = { deviceOutput }) => ({
  device: { id: 'd', name: 'Door' },
  node: { id: 'n', name: '', type: 'algo-door' },
  operation: 'door/lock',
  parameters,
  afterMs: Math.floor(random() * 120),
});

async function start(deviceOutput: number, isEnded: boolean): Promise<void> {
  const hold = ends.hold('d', String(deviceOutput));
  await pause(random() < 0.5 ? 0 : 20);
  await ending.get(deviceOutput);
  if (isEnded) {
    void ask('arms', deviceOutput);
    await hold.arm(end(deviceOutput));
  }
  const done = await ask('start', deviceOutput, isEnded);
  await hold.release(done);
  if (done && !isEnded) await ask('kept', deviceOutput);
}

async function stop(deviceOutput: number): Promise<void> {
  if (await ask('stop', deviceOutput)) await ends.recordEnded('d', String(deviceOutput));
}

async function live(deviceOutput: number): Promise<never> {
  for (;;) {
    const chosen = random();
    if (chosen < 0.25) await stop(deviceOutput);
    else await start(deviceOutput, chosen < 0.8);
    await pause(random() < 0.3 ? 0 : 100);
  }
}

async function run(): Promise<void> {
  ends.run();
  while (!ends.pending().next().done) await pause(5);
  await ask('drained', 0);
  await Promise.all([0, 1, 2, 3].map(live));
}

void run();
