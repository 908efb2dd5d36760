import type { Field, OperationGroup } from './operation';

/** 4.6, call/start. Everything that can start a call can be told to stop it. */
const callers = [
  '8190',
  '8190S',
  '8410',
  '8420',
  '8186',
  '8188',
  '8189',
  '8196',
  '8197',
  '8198',
  '8199',
  '8063',
  '8180',
  '8301',
  '8305',
  '8312',
] as const;

const extension = {
  type: 'string',
  title: 'Extension',
  description: 'The extension to call.',
  minLength: 1,
  examples: ['2001'],
} as const satisfies Field;

/** Section 4.6: telephone calls. */
export const call = {
  noun: 'call',
  operations: [
    {
      id: 'start',
      title: 'Call and play a tone',
      description: 'Calls an extension and plays a tone there.',
      section: '4.6',
      route: 'POST /api/controls/call/start',
      firmware: '3.3',
      products: { models: callers },
      repeatable: false,
      urgent: false,
      answer: 'none',
      fields: {
        extension,
        tone: {
          type: 'string',
          title: 'Tone',
          description:
            'Name of a tone file on the device: a pre-loaded one, or any file in its tones folder.',
          minLength: 1,
          examples: ['gong.wav'],
        },
        interval: {
          type: 'string',
          title: 'Interval',
          description: 'Pause before the tone is repeated.',
          format: 'seconds',
          unit: 's',
          examples: ['5'],
        },
        maxdur: {
          type: 'string',
          title: 'Longest duration',
          description: 'How long the tone is repeated altogether.',
          format: 'seconds',
          unit: 's',
          examples: ['30'],
        },
        dtmf: {
          type: 'string',
          title: 'DTMF',
          description: 'Digits to send once the call is answered. Each comma is a pause of 500 ms.',
          format: 'dtmf',
          maxLength: 15,
          firmware: '5.7',
          examples: [',,123#'],
        },
      },
      required: ['extension', 'tone'],
    },
    {
      id: 'stop',
      title: 'End the call',
      description: 'Ends the call.',
      section: '4.6',
      route: 'POST /api/controls/call/stop',
      firmware: '3.3',
      products: { models: callers, classes: ['speakers'] },
      repeatable: true,
      urgent: true,
      answer: 'none',
      fields: {},
      required: [],
    },
    {
      id: 'page',
      title: 'Open a page',
      description: 'Lets an extension receive an audio stream that is configured separately.',
      section: '4.6',
      route: 'POST /api/controls/call/page',
      firmware: '5.3.4',
      products: { classes: ['speakers'] },
      repeatable: false,
      urgent: false,
      answer: 'none',
      fields: { extension: { ...extension, description: 'The extension that is to receive the stream.' } },
      required: ['extension'],
    },
  ],
} as const satisfies OperationGroup;
