/**
 * How announcements begin: `npm run bench -- announce [rounds] [devices]`.
 *
 * An announcement of 15 s on 100 virtual devices and three dead ones, which take the connection and never answer:
 * from the end of the first upload to the last tone/start at a healthy device, with new audio in each round. Beside
 * it, in turns, the same by plain nodes: an upload and a tone/start at the healthy devices alone.
 *
 * Two announcements bring the same audio to so many devices (500) at the same time: each has one upload.
 *
 * The longest turn of the event loop, in processor time, while audio of 20 MB is read, some of it hostile.
 */
import os from 'node:os';
import { contestants } from './contestants/index.mjs';
import { ours } from './contestants/ours.mjs';
import { start } from './processes/parent.mjs';
import { ratioOf, spreadOf } from './report/statistics.mjs';
import { openBench } from './rounds.mjs';

const [rounds = 5, many = 500] = process.argv.slice(2).map(Number);
const healthyCount = 100;
const deadCount = 3;

const onTab = { z: 'tab', x: 100, y: 100 };
const announce = (id, more) => ({ ...onTab, id, type: 'algo-announce', wires: [['sink'], []], ...more });
const source = (index, to) => ({ ...onTab, id: `source${index}`, type: 'bench-source', index, wires: [to] });
const group = (id, ids) => ({ id, type: 'algo-group', name: `Group ${id}`, devices: ids });
const toGroup = (group) => ({ target: 'group', group });

function flowOf(addresses, nodes) {
  const { nodes: devices, credentials } = ours.devices(addresses);
  const known = devices.map((node) => ({ ...node, model: '8301', firmware: '5.7', timeout: '2' }));
  const flow = [
    { id: 'tab', type: 'tab', label: 'bench' },
    ...known,
    ...nodes,
    { ...onTab, id: 'sink', type: 'bench-sink', wires: [] },
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { ...onTab, id: 'errors', type: 'bench-sink', errors: true, wires: [] },
  ];
  return { flow, credentials };
}

/** Silence of so many seconds with a number in it: 16 kHz, 16 bits, one channel. */
function wav(seconds, number) {
  const bytes = Math.round(seconds * 32_000);
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF');
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(16_000, 24);
  file.writeUInt32LE(32_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  file.writeUInt32LE(number, 44);
  return file;
}

const times = (list) => list.map(({ at }) => at);
const ms = (value) => `${value.toFixed(0)} ms`;
let numbers = 0;
const nextAudio = (seconds) => {
  numbers += 1;
  return wav(seconds, numbers);
};

const bench = await openBench(false);
const devices = start('devices/virtual.mjs');
const stopping = [];

async function nodeRed(setup) {
  const child = await bench.nodeRed(contestants.ours, setup);
  stopping.push(child);
  return child;
}

/** The announcement beside plain nodes. */
async function measureStart() {
  const healthy = await devices.ask('open', { count: healthyCount });
  const dead = await devices.ask('openSilent', deadCount);
  // Among the others, so that they take their turns.
  const addresses = [...healthy];
  for (const [index, address] of dead.entries()) addresses.splice(index * 30, 0, address);
  const ids = addresses.map((_, index) => `device${index}`);
  const healthyIds = ids.filter((_, index) => !dead.includes(addresses[index]));
  const put = {
    type: 'algo-files',
    operation: 'put',
    parametersType: 'msg',
    parameters: 'payload',
    confirmWrite: true,
  };
  const tone = { type: 'algo-tone', operation: 'start', parametersType: 'msg', parameters: 'payload' };
  const subject = await nodeRed(
    flowOf(addresses, [
      group('all', ids),
      group('healthy', healthyIds),
      source(0, ['announce']),
      announce('announce', toGroup('all')),
      source(1, ['put']),
      { ...onTab, id: 'put', ...put, ...toGroup('healthy'), wires: [['sink']] },
      source(2, ['tone']),
      { ...onTab, id: 'tone', ...tone, ...toGroup('healthy'), wires: [['sink']] },
      source(3, ['stop']),
      {
        ...onTab,
        id: 'stop',
        type: 'algo-tone',
        operation: 'stop',
        ...toGroup('healthy'),
        wires: [['sink']],
      },
    ]),
  );
  const ask = (last, message) => subject.ask('drive', { count: 1, last, message });

  async function announced() {
    await ask(0, { payload: nextAudio(15) });
    const { uploads, tones } = await devices.ask('take');
    if (uploads.length !== healthyCount || tones.length !== healthyCount)
      throw new Error(
        `${uploads.length} uploads and ${tones.length} starts at ${healthyCount} healthy devices`,
      );
    // Else the next one waits for its end.
    await ask(3, {});
    const first = Math.min(...times(uploads));
    return {
      total: Math.max(...times(tones)) - first,
      upload: Math.max(...times(uploads)) - first,
      spread: spreadIn(tones),
    };
  }

  async function plain() {
    await ask(1, { payload: { path: `tones/plain${numbers}.wav`, content: nextAudio(15) } });
    await ask(2, { payload: { path: 'chime.wav', loop: false } });
    const { uploads, tones } = await devices.ask('take');
    const [upload, spread] = [spreadIn(uploads), spreadIn(tones)];
    return { total: upload + spread, upload, spread };
  }

  const firstTime = await announced();
  await plain();
  console.log(
    `the first time, with ${deadCount} dead devices that Node-RED does not know yet: ${ms(firstTime.total)}`,
  );
  const taken = { announced: [], plain: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, sample] of round % 2 === 0
      ? [
          ['announced', announced],
          ['plain', plain],
        ]
      : [
          ['plain', plain],
          ['announced', announced],
        ])
      taken[name].push(await sample());
  for (const [key, title] of [
    ['total', 'from the end of the first upload to the last start'],
    ['upload', 'of this from the first to the last upload'],
    ['spread', 'of this from the first to the last start'],
  ]) {
    const [a, b] = [taken.announced, taken.plain].map((samples) => samples.map((one) => one[key]));
    const { median, least, most } = ratioOf(a, b);
    const { median: middle } = spreadOf(a);
    console.log(
      `${title}: ${ms(middle)} (at most ${ms(Math.max(...a))}), plain nodes ${ms(spreadOf(b).median)}`,
    );
    console.log(`  ratio ${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`);
  }
}

const spreadIn = (list) => Math.max(...times(list)) - Math.min(...times(list));

/** Two announcements with the same audio at the same time. */
async function countUploads() {
  const addresses = await devices.ask('open', { count: many });
  const ids = addresses.map((_, index) => `device${index}`);
  const subject = await nodeRed(
    flowOf(addresses, [
      group('all', ids),
      source(0, ['one', 'two']),
      announce('one', toGroup('all')),
      announce('two', { ...toGroup('all'), priority: '9' }),
    ]),
  );
  const { cpu, failures } = await subject.ask('drive', {
    count: 1,
    answers: 2,
    message: { payload: nextAudio(1) },
  });
  const { uploads, tones } = await devices.ask('take');
  const counts = new Map();
  for (const { index } of uploads) counts.set(index, (counts.get(index) ?? 0) + 1);
  const most = Math.max(...counts.values());
  console.log(
    `two announcements of the same audio on ${many} devices at the same time: ${counts.size} devices with an upload, at most ${most} at one; ${tones.length} starts, ${failures} messages failed; ${(cpu / 2_000 / many).toFixed(1)} ms of processor time for a start`,
  );
}

/** Makes audio in the process of Node-RED, since a message between processes is a long turn of its own. */
const make = `
const size = 20 * 1024 * 1024;
const frame = Buffer.alloc(1044);
frame.set([0xff, 0xfb, 0xe0, 0xc0]);
const header = Buffer.from(msg.head, 'base64');
const kinds = {
  wave: () => Buffer.concat([header, Buffer.alloc(size - header.length)]),
  chunks: () => {
    const bytes = Buffer.alloc(size);
    bytes.write('RIFF....WAVE');
    for (let at = 12; at + 8 < size; at += 8) bytes.write('junk', at);
    return bytes;
  },
  mp3: () => Buffer.alloc(size, frame),
  ones: () => Buffer.alloc(size, 0xff),
  sync: () => Buffer.alloc(size, Buffer.from([0xff, 0xfb, 0x90])),
  tag: () => Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f]), Buffer.alloc(size - 10, 'TXXX')]),
  noise: () => { const bytes = Buffer.alloc(size); for (let at = 0; at < size; at += 1) bytes[at] = (at * 7919) >> 5; bytes.set([0xff, 0xfb, 0xe0, 0xc0]); return bytes; },
};
global.set('audio', kinds[msg.kind]());
return msg;`;

async function watchLoop() {
  const addresses = await devices.ask('open', { count: 1 });
  const play = { target: 'device', device: 'device0', audio: 'audio', audioType: 'global' };
  const flow = flowOf(addresses, [
    source(0, ['make']),
    { ...onTab, id: 'make', type: 'function', func: make, outputs: 1, wires: [['sink']] },
    source(1, ['announce']),
    announce('announce', play),
  ]);
  const subject = await nodeRed(flow);
  const ask = (last, message = {}) => subject.ask('drive', { count: 1, last, message });
  // 44.1 kHz, 16 bits, two channels: 20 MB are less than 10 minutes.
  const head = wav(0.1, 0).subarray(0, 44);
  head.writeUInt32LE(176_400, 28);
  head.writeUInt32LE(0x7fffffff, 40);
  const kinds = {
    wave: 'a WAV file of 20 MB',
    mp3: 'an MP3 file of 20 MB',
    chunks: 'a WAV file of chunks alone',
    ones: 'bytes of 0xff',
    sync: 'headers without frames',
    tag: 'a tag that is longer than the file',
    noise: 'noise after one header',
  };
  await ask(0, { kind: 'wave', head: head.toString('base64') });
  await ask(1, { operation: 'state' });
  const before = [];
  for (let count = 0; count < 5; count += 1) before.push((await ask(1, { operation: 'state' })).hold);
  console.log(
    `the longest turn for msg.operation = state, which reads no audio: ${spreadOf(before).median.toFixed(1)} ms`,
  );
  for (const [kind, title] of Object.entries(kinds)) {
    await ask(0, { kind, head: head.toString('base64') });
    // Prepares alone: a message that plays is answered later.
    const { hold, ms: took, failures } = await ask(1, { operation: 'prepare' });
    const became = failures > 0 ? 'refused' : 'stored';
    console.log(
      `${title}, ${became} after ${ms(took)}: the longest turn ${hold.toFixed(1)} ms of processor time`,
    );
  }
}

try {
  console.log(`load ${os.loadavg()[0].toFixed(1)}`);
  await measureStart();
  await countUploads();
  await watchLoop();
} finally {
  await Promise.all(stopping.map((child) => child.stop()));
  await devices.stop();
  await bench.close();
}
process.exit(0);
