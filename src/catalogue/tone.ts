import { mcast, playback, state } from './multicast';
import type { Field, OperationGroup, Products } from './operation';

const tonePlayers = {
  models: ['8028', '8201', '8203', '8039'],
  classes: ['speakers', 'paging adapters'],
} as const satisfies Products;

/**
 * The models that support upload-play and tone/stop. Section 4.5 also names clocks, which need no entry here:
 * the known clocks are in the class `speakers`, and unknown models are not restricted.
 */
const soundPlayers = {
  classes: ['speakers', 'paging adapters', 'intercoms', 'visual alerters', 'displays'],
} as const satisfies Products;

const testStarters = [
  '8190',
  '8190S',
  '8300',
  '8039',
  '8028',
  '8186',
  '8373',
  '8375',
  '8188',
  '8189',
  '8196',
  '8197',
  '8198',
  '8199',
  '8180',
  '8301',
  '8305',
  '8201',
  '8203',
  '8128',
  '8138',
  '8410',
  '8420',
] as const;

const testLoopers = { models: [...testStarters, '8516', '8507'] } as const satisfies Products;

const since = {
  firmware: '5.6',
  earlier: { products: { models: ['8301'] }, firmware: '5.4' },
} as const satisfies Partial<Field>;

const loop = {
  type: 'boolean',
  title: 'Loop',
  description: 'Repeats the sound until it is stopped.',
  initial: false,
} as const satisfies Field;

const duration = {
  type: 'integer',
  title: 'Duration',
  description: 'Stops the playback after this time.',
  minimum: 0,
  unit: 's',
} as const satisfies Field;

const interval = {
  type: 'integer',
  title: 'Interval',
  description: 'Pause between two playbacks of a loop.',
  minimum: 0,
  unit: 's',
} as const satisfies Field;

const path = {
  type: 'string',
  title: 'Tone',
  description: 'Name of a tone file on the device: a pre-loaded one, or any file in its tones folder.',
  minLength: 1,
  examples: ['chime.wav'],
  pick: 'tone',
} as const satisfies Field;

export const tone = {
  resource: 'tone',
  operations: [
    {
      id: 'start',
      title: 'Play a tone',
      description: 'Plays a tone once, or again and again until it is stopped.',
      section: '4.5.1',
      route: 'POST /api/controls/tone/start',
      firmware: '5.4',
      products: tonePlayers,
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'tone' },
      autoStop: { by: 'stop', takes: ['path'], field: 'duration' },
      answer: 'none',
      fields: {
        path,
        loop,
        duration: { ...duration, firmware: '5.7' },
        interval,
        mcast: { ...mcast, ...since },
        playback: { ...playback, ...since },
        state: { ...state, ...since },
      },
      required: ['path', 'loop'],
    },
    {
      id: 'stop',
      title: 'Stop the tone',
      description:
        'Stops the tone. Firmware 5.4 and older needs the name of the tone. Without a name, Node-RED sends the name of the tone that it started last.',
      section: '4.5',
      route: 'POST /api/controls/tone/stop',
      firmware: '3.3',
      products: soundPlayers,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'tone' },
      isStop: true,
      answer: 'none',
      fields: { path },
      required: [],
    },
    {
      id: 'upload-play',
      title: 'Upload and play',
      description:
        'Uploads a sound, plays the sound and then deletes the file. A sound of 15 s starts after about 60 s, a sound of 60 s after about 90 s.',
      section: '4.5.2',
      route: 'POST /api/controls/tone/upload-play',
      firmware: '5.7',
      products: soundPlayers,
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'tone' },
      answer: 'none',
      body: 'audio',
      minTimeoutMs: 120_000,
      fields: {
        content: {
          type: 'binary',
          title: 'Sound',
          description: 'A WAV file (better) or an MP3 file, best with 16 kHz and one channel.',
        },
        duration,
        interval,
        loop,
        mcast,
        playback,
        state,
      },
      required: ['content'],
    },
    {
      id: 'test-start',
      title: 'Test once',
      description:
        'Plays the test tone. The 8128 and 8138 light their strobe for five seconds instead, the 8410 and 8420 do both.',
      section: '4.5',
      route: 'POST /api/controls/test/start',
      firmware: '5.4',
      products: { models: testStarters },
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'test' },
      answer: 'none',
      fields: {},
      required: [],
    },
    {
      id: 'test-loop',
      title: 'Loop the test tone',
      description:
        'Loops the test tone. The 8128 and 8138 light their strobe instead, the 8410 and 8420 do both.',
      section: '4.5',
      route: 'POST /api/controls/test/loop',
      firmware: '5.4',
      products: testLoopers,
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'test' },
      autoStop: { by: 'test-stop' },
      answer: 'none',
      fields: {},
      required: [],
    },
    {
      id: 'test-stop',
      title: 'Stop the test',
      description: 'Stops the test tone and the test strobe.',
      section: '4.5',
      route: 'POST /api/controls/test/stop',
      firmware: '5.4',
      products: testLoopers,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'test' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
