import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { VirtualDevice } from '../../src/virtual-device/device';
import type { NodeConfig } from '../fixtures/flow';
import { firstSeed, withRepeatCommand } from '../fixtures/histories';
import { chance } from '../fixtures/history';
import { RedProcess } from '../fixtures/red-process';
import { Waiting } from '../fixtures/waiting';
import { wav } from './sounds';
import { Speaker } from './speaker';

const kills = Number(process.env.ALGO_KILLS || 24);
/** More kills are several tests, since a test has a limit of time. */
const maxInTest = 40;

const onTab = { z: 'tab', x: 100, y: 100 };
const models = { Wall: '8410', Gate: '8201' };

/** A file that lasts longer than a round, and which the buffers of a connection do not hold. */
const longMs = 400_000;
const shortMs = 60;

interface Round {
  readonly story: string;
  /** The names of the nodes that begin, in order. */
  readonly begins: readonly string[];
  /** Makes the files of each round differ from those of earlier rounds. */
  readonly files: number;
  /** The moment: during the upload, at a file's sound, after so many requests, or after so many milliseconds. */
  readonly moment: 'upload' | 'sound' | { readonly requests: number } | { readonly ms: number };
}

describe('an announcement in a process that is killed at any moment', () => {
  let devices: VirtualDevice[];
  let horn: Speaker;
  let red: RedProcess;
  let configs: NodeConfig[];
  let volumesBefore: string[];
  /** Files that a device was told to play and that are not what their names say. */
  const wrongFiles: string[] = [];
  const listeners = new Set<(words: string) => void>();
  const waiting = new Waiting(() => [...loud(), ...texts(), horn.heard.slice(-30).join(', ')].join('; '));

  const volumes = () => [
    ...devices.map(({ settings }) => `${settings['audio.page.vol']} ${settings['audio.vol.spk']}`),
    Object.values(horn.volumes).join(' '),
  ];
  const loud = () => volumes().filter((volume, index) => volume !== volumesBefore[index]);
  const texts = () => [...devices.map(({ state }) => state.overlay), horn.text].filter(Boolean).map(String);
  const isQuiet = () => loud().length === 0 && texts().length === 0;

  function noteRequest(words: string, contentOf: (name: string) => Buffer | undefined): void {
    const [, name = '', sum] = /^play (algo-([0-9a-f]{16})\.wav)/.exec(words) ?? [];
    const content = contentOf(name);
    if (sum !== undefined && !(content && md5Of(content).startsWith(sum))) wrongFiles.push(name);
    waiting.look();
    for (const listener of listeners) listener(words);
  }

  before(async () => {
    devices = Object.values(models).map((model) => new VirtualDevice({ model, auth: 'none' }));
    const ofDevices = await Promise.all(
      devices.map(async (device, index) => {
        const [name = '', model] = Object.entries(models)[index] ?? [];
        const address = await device.start();
        device.on('request', ({ path, method, parameters, outcome }) => {
          const isPlay = path.endsWith('/tone/start') && outcome === 'done';
          const words = isPlay ? `play ${Object(parameters).path}` : `${method} ${path}`;
          noteRequest(words, (file) => device.files.get(`tones/${file}`));
        });
        device.on('change', waiting.look);
        const id = name.toLowerCase();
        return { id, type: 'algo-device', name, address, auth: 'none', model, firmware: '5.7' };
      }),
    );
    horn = await new Speaker('Horn').open();
    horn.onHeard = () => noteRequest(horn.heard.at(-1) ?? '', (file) => horn.files.get(file));
    const ids = [...ofDevices, horn].map(({ id }) => id);
    configs = [
      ...ofDevices,
      horn.config(),
      { id: 'all', type: 'algo-group', name: 'All', devices: ids },
    ] as NodeConfig[];
    volumesBefore = volumes();
    red = await RedProcess.prepare(configs);
  });

  after(async () => {
    await red.clear();
    await Promise.all([...devices.map((device) => device.stop()), horn.close()]);
  });

  function comes(moment: Round['moment']): Promise<unknown> {
    if (moment === 'upload') return upload();
    if (moment === 'sound') return heard((words) => words.startsWith('play algo-'));
    return 'ms' in moment ? sleep(moment.ms) : heard(() => true, moment.requests);
  }

  /** Resolves when so many of these requests have arrived at any device; the last of them is not answered yet. */
  function heard(isIt: (words: string) => boolean, count = 1): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      const listener = (words: string) => {
        if (isIt(words)) left -= 1;
        if (left > 0) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  }

  /** Resolves when an upload has begun that ends with its process. */
  function upload(): Promise<void> {
    return new Promise((resolve) => {
      horn.onUpload = async () => {
        resolve();
        await red.ended;
      };
    });
  }

  function draw(random: () => number, round: number, inTest: number): Round {
    const files = random() < 0.4 ? Math.max(0, round - 1) : round;
    // The first kill is in an upload, and the second plays what the first has cut off.
    if (inTest < 2) {
      const moment = inTest === 0 ? ('upload' as const) : ('sound' as const);
      return { story: `round ${round}`, begins: ['long'], files: round - inTest, moment };
    }
    const all = [
      ['short'],
      ['long'],
      ['short', 'other'],
      ['long', 'other'],
      ['long', 'replace'],
      ['long', 'stop'],
    ];
    const begins = all[Math.floor(random() * all.length)] ?? [];
    const kind = random();
    const moment =
      kind < 0.15 && begins[0] === 'long' && files === round
        ? ('upload' as const)
        : kind < 0.35
          ? { ms: random() * 500 }
          : { requests: 1 + Math.floor(random() * 36) };
    return {
      story: `round ${round}, ${begins.join(', ')}, ${JSON.stringify(moment)}`,
      begins,
      files,
      moment,
    };
  }

  async function play({ begins, moment, story }: Round): Promise<boolean> {
    horn.onUpload = undefined;
    const killing = comes(moment);
    let isKilled = false;
    const begin = (name: string) => red.sendAndReadOutcomes(name).catch(() => []);
    const plays = async () => {
      const [first = '', second] = begins;
      await begin(first);
      // A long one is killed while it plays, at the latest, and so is one that waits for it.
      if (second === 'other') void begin(second);
      else if (second) await begin(second);
      if (moment === 'sound') await killing;
      if (first === 'long' && (!second || second === 'other')) return;
      await waiting.until(`the announcement ends or its process, in ${story}`, () => isKilled || isQuiet());
    };
    await Promise.race([killing, plays()]);
    const wasLoud = !isQuiet();
    const ended = red.stop('SIGKILL');
    isKilled = true;
    await ended;
    horn.onUpload = undefined;
    return wasLoud;
  }

  /** Starts Node-RED again. It puts back what is changed, and begins nothing. */
  async function startAfter(story: string): Promise<void> {
    const starts: string[] = [];
    const note = (words: string) => {
      if (words.startsWith('play ') || words.includes('screen-text/start')) starts.push(words);
    };
    const starting = red.start();
    // The last requests of the killed process may be heard only now.
    await red.waitForOutput(/Starting flows/);
    listeners.add(note);
    await starting;
    await waiting.until(`all is as before, after ${story}`, isQuiet);
    listeners.delete(note);
    assert.deepEqual([starts, wrongFiles], [[], []], story);
  }

  for (let first = 0; first < kills; first += maxInTest) {
    const count = Math.min(maxInTest, kills - first);
    it(`leaves nothing loud and no text on after ${count} kills, and plays no file that was cut off (ALGO_SEED=${firstSeed + first})`, () =>
      withRepeatCommand(__filename, `ALGO_KILLS=${kills}`, async () => {
        const random = chance(firstSeed + first);
        let changed = 0;
        let last = 'no round';
        for (let round = 0; round <= count; round += 1) {
          const drawn = draw(random, first + round, round);
          await red.rewrite([...configs, ...announcing(drawn.files)]);
          await startAfter(last);
          if (round < count && (await play(drawn))) changed += 1;
          last = drawn.story;
        }
        await red.stop('SIGKILL');
        // Otherwise nothing was tried at all.
        assert.ok(changed > 0, 'no kill left a change');
        assert.ok(horn.cutOff > 0, 'no upload was cut off');
      }));
  }
});

function md5Of(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

/** Nodes that announce, and functions that make their audio. */
function announcing(files: number): NodeConfig[] {
  const node = (id: string, more: Record<string, unknown>) => ({
    ...{ ...onTab, id, type: 'algo-announce', target: 'group', group: 'all', chime: 'chime.wav' },
    ...{ text: id, volume: '-12dB', wires: [['receipts'], []], ...more },
  });
  const audio = (id: string, to: string, ms: number) => {
    const head = wav(ms).subarray(0, 44).toString('base64');
    const samples = `Buffer.alloc(${ms * 16}, 'file ${files} of ${id}')`;
    const func = `msg.payload = Buffer.concat([Buffer.from('${head}', 'base64'), ${samples}]); return msg;`;
    return { id, type: 'function', operation: '', outputs: 1, func, wires: [[to]] };
  };
  const stop = { t: 'set', p: 'operation', pt: 'msg', to: 'stop', tot: 'str' };
  return [
    node('Bus', {}),
    node('Doctor', { volume: '-3dB', repeat: 2, interval: 0.05 }),
    node('Fire', { volume: '-6dB', overlap: 'replace' }),
    audio('short', 'Bus', shortMs),
    audio('long', 'Bus', longMs),
    audio('other', 'Doctor', shortMs),
    audio('replace', 'Fire', shortMs),
    { id: 'stop', type: 'change', operation: '', rules: [stop], wires: [['Bus']] },
  ] as NodeConfig[];
}
