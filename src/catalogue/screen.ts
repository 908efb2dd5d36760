import type { Field, OperationGroup, Products, Variant } from './operation';
import { analogFields, clockFields, commonFields, digitalFields, image, textFields } from './screen-fields';
import { templates } from './screen-templates';
import { unionOfFields } from './variants';

const products = { models: ['8410', '8420'] } as const satisfies Products;

const type = {
  type: 'string',
  title: 'Type',
  description: 'The content to show.',
} as const satisfies Field;

const image1 = { ...image, title: 'Image' } as const satisfies Field;

const text1 = {
  type: 'string',
  title: 'Text',
  description: 'The text on the image.',
  minLength: 1,
  examples: ['Assembly at 10:30'],
} as const satisfies Field;

const variants: readonly Variant[] = [
  {
    id: 'image',
    title: 'Single image',
    when: { type: ['image'] },
    fields: { type: { ...type, enum: ['image'] }, image1, ...commonFields },
    required: ['type', 'image1'],
  },
  {
    id: 'by-name',
    title: 'Slide or slideshow by name',
    when: { screenName: [] },
    fields: {
      screenName: {
        type: 'string',
        title: 'Slide or slideshow',
        description: 'Name of a slide or a slideshow. Where both have the name, the slide is shown.',
        minLength: 1,
      },
      ...commonFields,
    },
    required: ['screenName'],
  },
  {
    id: 'image-text',
    title: 'Image with text',
    when: { type: ['image'], text1: [] },
    fields: { type: { ...type, enum: ['image'] }, image1, text1, ...textFields, ...commonFields },
    required: ['type', 'image1', 'text1'],
  },
  {
    id: 'digital-clock',
    title: 'Digital clock',
    when: { type: ['digitalClock'] },
    fields: { type: { ...type, enum: ['digitalClock'] }, ...digitalFields, ...clockFields, ...commonFields },
    required: ['type'],
  },
  {
    id: 'analog-clock',
    title: 'Analog clock',
    when: { type: ['analogClock'] },
    fields: { type: { ...type, enum: ['analogClock'] }, ...analogFields, ...clockFields, ...commonFields },
    required: ['type'],
  },
  {
    id: 'flashing-images',
    title: 'Flashing images',
    when: { type: ['blitz'] },
    fields: {
      type: { ...type, enum: ['blitz'] },
      image1: { ...image1, title: 'First image' },
      image2: { ...image, title: 'Second image' },
      ...commonFields,
    },
    required: ['type', 'image1', 'image2'],
  },
  {
    id: 'slideshow',
    title: 'Slideshow by slide names',
    when: { slideNames: [] },
    fields: {
      duration: {
        type: 'integer',
        title: 'Duration',
        description: 'Time for which each slide is shown.',
        minimum: 0,
        unit: 's',
        examples: [10],
      },
      slideNames: {
        type: 'string',
        title: 'Slides',
        description: 'Names of the slides, with commas between them.',
        minLength: 1,
        examples: ['welcome,menu'],
      },
      overrideStrobe: {
        type: 'boolean',
        title: 'Override strobe',
        description: 'Uses the strobe settings of this command instead of those of each slide.',
        initial: false,
      },
      ...commonFields,
    },
    required: ['duration', 'slideNames', 'overrideStrobe'],
  },
  ...templates,
];

export const screen = {
  resource: 'screen',
  operations: [
    {
      id: 'start',
      title: 'Show',
      description: 'Shows an image, a slide, a slideshow, a clock or a template, until it is stopped.',
      section: '4.8',
      route: 'POST /api/controls/screen/start',
      firmware: '5.3.4',
      products,
      repeatable: true,
      urgent: false,
      deviceOutput: { name: 'screen' },
      autoStop: { by: 'stop', field: 'stopAfter' },
      answer: 'none',
      variants,
      fields: unionOfFields(variants),
      required: [],
    },
    {
      id: 'stop',
      title: 'Clear screen',
      description: 'Takes the content down; the screen shows its default again.',
      section: '4.8',
      route: 'POST /api/controls/screen/stop',
      firmware: '5.3.4',
      products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'screen' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
    {
      id: 'text-start',
      title: 'Show a text',
      description: 'Shows a text on top of whatever the screen shows.',
      section: '4.9',
      route: 'POST /api/controls/screen-text/start',
      firmware: '5.7',
      products,
      repeatable: true,
      urgent: false,
      deviceOutput: { name: 'text' },
      autoStop: { by: 'text-stop', field: 'duration' },
      answer: 'none',
      fields: {
        textContent: {
          type: 'string',
          title: 'Text',
          description: 'The text to show.',
          minLength: 1,
          examples: ['Please leave the building'],
        },
        duration: {
          type: 'integer',
          title: 'Duration',
          description: 'Takes the text down after this time.',
          minimum: 0,
          unit: 's',
          examples: [30],
        },
        persistent: {
          type: 'boolean',
          title: 'Persistent',
          description: 'Keeps the text when the content of the screen changes. The default is no.',
        },
        ...textFields,
      },
      required: ['textContent'],
    },
    {
      id: 'text-stop',
      title: 'Remove the text',
      description: 'Removes the text from the screen.',
      section: '4.9',
      route: 'POST /api/controls/screen-text/stop',
      firmware: '5.7',
      products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'text' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
