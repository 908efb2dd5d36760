import { groupNeedsPoly, multicastFields } from './multicast';
import type { OperationGroup, Products } from './operation';

const noiseListeners = {
  models: [
    '8190',
    '8190S',
    '8516',
    '8410',
    '8420',
    '8186',
    '8450',
    '8188',
    '8189',
    '8196',
    '8197',
    '8198',
    '8199',
    '8180',
    '8301',
    '8305',
    '8507',
  ],
} as const satisfies Products;

const allButConsole = { except: ['8450'] } as const satisfies Products;

export const audio = {
  resource: 'audio',
  operations: [
    {
      id: 'rx-start',
      title: 'Receive audio stream',
      description: 'Opens a port for an audio stream that is sent to the device directly.',
      section: '4.5',
      route: 'POST /api/controls/rx/start',
      firmware: '5.3.4',
      products: allButConsole,
      repeatable: true,
      urgent: false,
      deviceOutput: { name: 'rx' },
      autoStop: { by: 'rx-stop' },
      answer: 'none',
      fields: {
        port: {
          type: 'string',
          title: 'Port',
          description: 'Port on which the device listens.',
          format: 'port',
          examples: ['5004'],
        },
      },
      required: ['port'],
    },
    {
      id: 'rx-stop',
      title: 'Stop receiving',
      description: 'Closes the port for the audio stream.',
      section: '4.5',
      route: 'POST /api/controls/rx/stop',
      firmware: '5.3.4',
      products: allButConsole,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'rx' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
    {
      id: 'noise-update',
      title: 'Report ambient noise',
      description:
        'Tells the device the ambient noise level, for a controller whose noise sensor is elsewhere.',
      section: '4.5',
      route: 'POST /api/controls/noise/update',
      firmware: '5.4',
      products: noiseListeners,
      repeatable: true,
      urgent: false,
      answer: 'none',
      confirm: {
        by: 'info/noise-level',
        compare: 'decibel',
        parameter: 'level',
        answer: 'audio.noise.level',
      },
      options: ['confirmWrite'],
      fields: {
        level: {
          type: 'string',
          title: 'Level',
          description: 'The ambient noise level.',
          format: 'decibel',
          unit: 'dB',
          examples: ['65'],
        },
      },
      required: ['level'],
    },
    {
      id: 'mcast-update',
      title: 'Set multicast',
      description:
        'Says where the streams of tones go, without changing the configuration of the device. Give tones the same address and port.',
      section: '4.2',
      route: 'POST /api/state/mcast/update/',
      firmware: '5.0',
      products: allButConsole,
      repeatable: true,
      urgent: false,
      answer: 'none',
      rules: [groupNeedsPoly],
      fields: multicastFields,
      required: ['mode', 'address', 'port', 'type'],
    },
  ],
} as const satisfies OperationGroup;
