import type { Field, Fields, Rule } from './operation';
import type { Phrase } from './phrases';
import { brightnessNames, patternModels, patternNames } from './strobe-patterns';

const fonts = ['acumin', 'bookman', 'din', 'inter', 'nixie', 'overpass', 'roboto'] as const;

const positions = [
  'top-left',
  'top-center',
  'top-right',
  'left',
  'center',
  'right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;

const lamp = { type: 'string', enum: ['red', 'blue', 'green', 'amber'], pick: 'lamp' } as const;

const color = { type: 'string', format: 'color', examples: ['navy', '#1a2b3c'] } as const;

const yesNo = { type: 'boolean' } as const;

export const image = {
  type: 'string',
  title: 'Image',
  description: 'Name of an image file on the device.',
  minLength: 1,
  examples: ['welcome.png'],
  pick: 'image',
} as const satisfies Field;

export const font = {
  type: 'string',
  title: 'Font',
  description: 'Font of the text.',
  enum: fonts,
} as const satisfies Field;

export const commonFields = {
  stopAfter: {
    type: 'integer',
    title: 'Stop after',
    description: 'Takes the content down after this time.',
    minimum: 0,
    unit: 's',
    firmware: '5.7',
    examples: [30],
  },
  strobeFlash: {
    type: 'integer',
    title: 'Strobe pattern',
    description:
      'Lights the strobe with a pattern, by name or number. Flashing light can trigger seizures in people with photosensitive epilepsy.',
    minimum: 0,
    names: patternNames,
    pick: 'pattern',
    valueModels: patternModels,
    examples: ['slow'],
  },
  strobeColor: { ...lamp, title: 'Strobe color', description: 'Color of the strobe.' },
  strobeColor2: {
    ...lamp,
    title: 'Second strobe color',
    description: 'Second color of the strobe. Not every firmware has blue.',
  },
  strobeLedlvl: {
    type: 'string',
    title: 'Strobe brightness',
    description: 'Brightness of the strobe: low, medium or high, or 0, 56 or 255.',
    enum: ['0', '56', '255'],
    names: brightnessNames,
    pick: 'level',
    examples: ['medium'],
  },
} as const satisfies Fields;

/**
 * Fields that every template allows (section 4.8). `strobeFlash` has no number 1, since the interface
 * document does not list this number.
 */
export const templateFields = {
  showWeather: {
    ...yesNo,
    title: 'Weather',
    description: 'Shows the weather. The default is yes.',
  },
  ...commonFields,
  strobeFlash: {
    type: 'integer',
    title: commonFields.strobeFlash.title,
    description: commonFields.strobeFlash.description,
    enum: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    names: patternNames,
    pick: 'pattern',
    valueModels: patternModels,
    examples: ['slow', 15],
  },
} as const satisfies Fields;

export const litStrobeNeedsColor = {
  when: { required: ['strobeFlash'], properties: { strobeFlash: { not: { enum: [15, 'Off'] } } } },
  must: { required: ['strobeColor', 'strobeLedlvl'], because: 'flashing' satisfies Phrase },
} as const satisfies Rule;

export const textFields = {
  textBg: {
    ...yesNo,
    title: 'Text background',
    description: 'Shows a background behind the text. The default is no.',
  },
  textBgColor: { ...color, title: 'Text background color', description: 'Color behind the text.' },
  textColor: { ...color, title: 'Text color', description: 'Color of the text. The default is black.' },
  textFont: { ...font, title: 'Text font', description: 'Font of the text. The default is inter.' },
  textPosition: {
    type: 'string',
    title: 'Text position',
    description: 'Position of the text. The default is bottom.',
    enum: ['top', 'middle', 'bottom'],
  },
  textScroll: { ...yesNo, title: 'Scroll', description: 'Scrolls the text. The default is yes.' },
  textScrollSpeed: {
    type: 'string',
    title: 'Scroll speed',
    description: 'From 1, which is slow and the default, to 5.',
    enum: ['1', '2', '3', '4', '5'],
  },
  textSize: {
    type: 'integer',
    title: 'Text size',
    description:
      'A name or a number. The default is large up to firmware 5.6 and small from 5.7 on. Tiny is 60, small 100, medium 200.',
    words: ['tiny', 'small', 'medium', 'large'],
    minimum: 50,
    maximum: 300,
    examples: ['medium', 150],
  },
} as const satisfies Fields;

export const clockFields = {
  clockSize: {
    type: 'string',
    title: 'Clock size',
    description: 'Size of the clock. The default is x-large.',
    enum: ['x-small', 'small', 'medium', 'large', 'x-large'],
  },
  clockPosition: {
    type: 'string',
    title: 'Clock position',
    description: 'Position of the clock. The default is center.',
    enum: positions,
  },
  date: { ...yesNo, title: 'Date', description: 'Shows the date.' },
  datePosition: {
    type: 'string',
    title: 'Date position',
    description: 'Position of the date. The default is bottom-center.',
    enum: positions,
  },
  dateSize: {
    type: 'integer',
    title: 'Date size',
    description: 'Size of the date. The default is 140.',
    minimum: 50,
    maximum: 300,
    examples: [140],
  },
  dateColor: { ...color, title: 'Date color', description: 'Color of the date. The default is black.' },
  clockBgImage: {
    ...image,
    title: 'Background image',
    description: 'Name of an image file on the device, shown behind the clock.',
  },
} as const satisfies Fields;

export const clockSeconds = {
  ...yesNo,
  title: 'Seconds',
  description: 'Shows seconds on the digital clock.',
} as const satisfies Field;

export const clockSecondsAnalog = {
  ...yesNo,
  title: 'Second hand',
  description: 'Shows a second hand on the analog clock.',
} as const satisfies Field;

export const clockFgColor = {
  ...color,
  title: 'Clock color',
  description: 'Color of the digital clock. The default is white.',
} as const satisfies Field;

export const clockFont = {
  ...font,
  title: 'Clock font',
  description: 'Font of the digital clock. The default is inter.',
} as const satisfies Field;

export const clockFormat = {
  type: 'string',
  title: 'Clock format',
  description: 'Twelve or twenty-four hours.',
} as const satisfies Field;

export const analogSecondsColor = {
  ...color,
  title: 'Second hand color',
  description: 'Color of the second hand.',
} as const satisfies Field;

export const digitalFields = {
  clockFormat: {
    ...clockFormat,
    description: 'Twelve or twenty-four hours. The default is 24h.',
    enum: ['12h', '24h'],
  },
  clockSeconds: { ...clockSeconds, description: 'Shows seconds. The default is no.' },
  clockBgColor: { ...color, title: 'Clock background color', description: 'Color behind the digital clock.' },
  clockFgColor,
  clockFont,
} as const satisfies Fields;

export const analogFields = {
  clockSecondsAnalog: {
    ...clockSecondsAnalog,
    description: 'Shows a second hand. The default is yes.',
  },
  analogBgColor: { ...color, title: 'Face color', description: 'Color of the face of the analog clock.' },
  analogFgColor: {
    ...color,
    title: 'Hands color',
    description: 'Color of the hands of the analog clock. The default is black.',
  },
  analogSecondsColor,
} as const satisfies Fields;

export const templateColor = color;
