import type { Field, Fields, Variant } from './operation';
import {
  analogSecondsColor,
  clockFgColor,
  clockFont,
  clockFormat,
  clockSeconds,
  clockSecondsAnalog,
  font,
  image,
  litStrobeNeedsColor,
  templateColor,
  templateFields,
  textFields,
} from './screen-fields';

/** The 21 templates of 4.8.2, in the order of the interface document. */
const templateNames = [
  'school_time',
  'school_date_time',
  'hospital_scrolling_text',
  'hospital_text',
  'hospital_time',
  'announcement',
  'dont_forget',
  'reminder',
  'today_is',
  'time_date_bg',
  'time_date_bg2',
  'dualclock1',
  'dualclock1_nocorner',
  'dualclock2',
  'dualclock3',
  'calendar_time_date',
  'calendar_time_image',
  'calendar_analog_clock',
  'weather_current',
  'weather_hourly',
  'weather_weekly',
] as const;

type TemplateName = (typeof templateNames)[number];

const type = {
  type: 'string',
  title: 'Type',
  description: 'The content: a slide made from a template.',
  enum: ['template'],
} as const satisfies Field;

const template = {
  type: 'string',
  title: 'Template',
  description: 'Template for the screen.',
} as const satisfies Field;

const icon1 = {
  ...image,
  title: 'Header icon',
  description: 'Name of an image file for the header, scaled down to 1200 x 130 px.',
} as const satisfies Field;

const text = { type: 'string', foremost: true, examples: ['Assembly at 10:30'] } as const;

const hours = {
  clockFormat: { ...clockFormat, enum: ['12hr', '24hr'] },
  clockSeconds,
} as const satisfies Fields;

/**
 * The clock format of templates for which 4.8.2 gives no format. Every known format is accepted and sent
 * unchanged.
 */
const anyHours = { ...clockFormat, enum: ['12h', '24h', '12hr', '24hr'] } as const satisfies Field;

const school = {
  icon1: { ...icon1, title: 'Left icon', description: 'Top left, scaled down to 1200 x 130 px.' },
  icon2: { ...image, title: 'Right icon', description: 'Top right, scaled down to 400 x 130 px.' },
  ...hours,
  colorScheme: {
    type: 'string',
    title: 'Color scheme',
    description: 'Colors of the slide.',
    enum: ['bluegrey', 'greyblue'],
  },
} as const satisfies Fields;

const hospital = {
  icon1,
  text1: { ...text, title: 'Text', description: 'Scrolls at the bottom.' },
} as const satisfies Fields;

const dualClock = {
  image1: { ...image, title: 'Background image' },
  icon1: { ...icon1, title: 'Icon', description: 'Name of an image file, shown in the upper right.' },
  clockSeconds,
  clockSecondsAnalog,
  dualClock1Color: {
    ...templateColor,
    title: 'Clock color',
    description: 'Color of the clock and the graphics. The default is black.',
  },
} as const satisfies Fields;

const calendar = {
  icon1: { ...icon1, title: 'Icon', description: 'Name of an image file, shown in the lower left.' },
  colorScheme: {
    type: 'string',
    title: 'Color scheme',
    description: 'Colors of the slide.',
    enum: ['light', 'dark'],
  },
} as const satisfies Fields;

const weather = {
  clockFormat: anyHours,
  clockSeconds,
  headline: {
    type: 'string',
    title: 'Headline',
    description: 'Content of the headline. The location is available for Canadian weather only.',
    enum: ['date', 'location', 'none'],
  },
  showExtra: {
    type: 'string',
    title: 'Feels like',
    description: 'Felt temperature: 1 shows it, 0 hides it.',
    enum: ['1', '0'],
  },
} as const satisfies Fields;

const families = [
  { names: ['school_time'], fields: school },
  {
    names: ['school_date_time'],
    fields: {
      ...school,
      layout: {
        type: 'integer',
        title: 'Layout',
        description: '1 has the date on the left, 2 on the right.',
        enum: [1, 2],
      },
    },
  },
  {
    names: ['hospital_scrolling_text'],
    fields: {
      ...hospital,
      scrollSpeed: { ...textFields.textScrollSpeed },
    },
  },
  { names: ['hospital_text'], fields: hospital },
  { names: ['hospital_time'], fields: { icon1, ...hours } },
  {
    names: ['announcement'],
    fields: {
      text1: { ...text, title: 'First text', description: 'White, at the top.' },
      text2: { ...text, title: 'Second text', description: 'Yellow, at the bottom.' },
    },
  },
  {
    names: ['dont_forget'],
    fields: {
      text1: { ...text, title: 'First text', description: 'Black, at the top.' },
      text2: { ...text, title: 'Second text', description: 'White on red, in the middle.' },
      text3: { ...text, title: 'Third text', description: 'Black, at the bottom.' },
    },
  },
  {
    names: ['reminder'],
    fields: {
      text1: { ...text, title: 'First text', description: 'Red, at the top.' },
      text2: { ...text, title: 'Second text', description: 'Red, in the middle.' },
      text3: { ...text, title: 'Third text', description: 'White on red, at the bottom.' },
    },
  },
  {
    names: ['today_is'],
    fields: {
      text1: { ...text, title: 'Text', description: 'Black.' },
      image1: { ...image, title: 'Background image' },
    },
  },
  {
    names: ['time_date_bg', 'time_date_bg2'],
    fields: {
      image1: { ...image, title: 'Background image' },
      font,
      textColor: {
        ...textFields.textColor,
        title: 'Date color',
        description: 'Color of the date. The default is black.',
      },
      clockFgColor: { ...clockFgColor, title: 'Time color', description: 'Color of the time.' },
      clockFormat: anyHours,
      clockFont: { ...clockFont, description: 'Font of the time.' },
      clockSeconds,
    },
  },
  {
    names: ['dualclock1', 'dualclock1_nocorner', 'dualclock3'],
    fields: {
      ...dualClock,
      analogSecondsColor: {
        ...analogSecondsColor,
        description: 'Color of the second hand. The default is black.',
      },
    },
  },
  { names: ['dualclock2'], fields: dualClock },
  { names: ['calendar_time_date', 'calendar_analog_clock'], fields: calendar },
  {
    names: ['calendar_time_image'],
    fields: {
      ...calendar,
      image1: { ...image, foremost: true },
    },
  },
  { names: ['weather_current', 'weather_hourly', 'weather_weekly'], fields: weather },
] as const satisfies readonly { readonly names: readonly TemplateName[]; readonly fields: Fields }[];

export const templates: readonly Variant[] = families.map(({ names, fields }) => ({
  id: `template-${names[0]}`,
  title: 'Template {template}',
  when: { type: ['template'], template: names },
  fields: { type, template: { ...template, enum: names }, ...fields, ...templateFields },
  required: ['type', 'template'],
  rules: [litStrobeNeedsColor],
}));
