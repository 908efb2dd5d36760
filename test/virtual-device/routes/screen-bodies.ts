/** Bodies for screens, typed by hand from section 4.8. */
export const START = 'POST /api/controls/screen/start';
export const TEXT = 'POST /api/controls/screen-text/start';

export const text = {
  textBg: true,
  textBgColor: 'mediumpurple',
  textColor: '#00FF7f',
  textFont: 'nixie',
  textPosition: 'middle',
  textScroll: false,
  textScrollSpeed: '5',
  textSize: 300,
};
export const strobe = { strobeFlash: 7, strobeColor: 'red', strobeColor2: 'blue', strobeLedlvl: '56' };
export const anyClock = {
  clockSize: 'x-small',
  clockPosition: 'top-left',
  date: true,
  datePosition: 'bottom-center',
  dateSize: 50,
  dateColor: 'black',
  clockBgImage: 'sky.png',
  stopAfter: 1,
};
export const digital = {
  type: 'digitalClock',
  clockFormat: '12h',
  clockSeconds: true,
  clockBgColor: 'white',
  clockFgColor: '#000000',
  clockFont: 'inter',
};
export const analog = {
  type: 'analogClock',
  clockSecondsAnalog: false,
  analogBgColor: 'white',
  analogFgColor: 'black',
  analogSecondsColor: 'red',
};
export const image = { type: 'image', image1: 'a.png' };
export const slides = { duration: 5, slideNames: 'one,two', overrideStrobe: true };

export const taken: readonly [string, object][] = [
  ['a single image', image],
  ['an image with a strobe', { ...image, ...strobe, stopAfter: 60 }],
  ['a slide by name', { screenName: 'lunch' }],
  ['an image with text', { ...image, text1: 'Hello', ...text }],
  ['text sizes and scrolling in words', { ...image, text1: 'x', textSize: 'tiny', textScroll: 'true' }],
  ['a digital clock', { ...digital, ...anyClock, ...strobe }],
  ['an analog clock', { ...analog, ...anyClock, ...strobe }],
  ['flashing images', { type: 'blitz', image1: 'a.png', image2: 'b.png', ...strobe }],
  ['a slideshow', { ...slides, ...strobe }],
];

export const refused: readonly [string, object][] = [
  ['nothing', {}],
  ['an unknown type', { type: 'video' }],
  ['a type that every object has', { type: 'constructor' }],
  ['a type that is no string', { type: 1 }],
  ['an image without a file', { type: 'image' }],
  ['text fields without text', { ...image, textBg: true }],
  ['an image with a second one', { ...image, image2: 'b.png' }],
  ['fields of two variants', { ...image, screenName: 'lunch' }],
  ['half a blitz', { type: 'blitz', image1: 'a.png' }],
  ['a slideshow without overrideStrobe', { duration: 5, slideNames: 'one' }],
  ['a slideshow in a list', { ...slides, slideNames: ['one'] }],
  ['analog fields on a digital clock', { type: 'digitalClock', analogFgColor: 'black' }],
  ['digital fields on an analog clock', { type: 'analogClock', clockFormat: '12h' }],
  ['the format of templates', { type: 'digitalClock', clockFormat: '12hr' }],
  ['a color that is none', { type: 'digitalClock', clockFgColor: 'blurple' }],
  ['three hex digits', { type: 'digitalClock', clockFgColor: '#fff' }],
  ['a position that is none', { type: 'analogClock', clockPosition: 'middle' }],
  ['dateSize 49', { type: 'analogClock', dateSize: 49 }],
  ['dateSize 301', { type: 'analogClock', dateSize: 301 }],
  ['textSize 301', { ...image, text1: 'x', textSize: 301 }],
  ['a speed of 6', { ...image, text1: 'x', textScrollSpeed: '6' }],
  ['a speed as a number', { ...image, text1: 'x', textScrollSpeed: 1 }],
  ['a brightness of another model', { ...image, strobeLedlvl: '3' }],
  ['a strobe of another color', { ...image, strobeColor: 'white' }],
  ['stopAfter as a string', { ...image, stopAfter: '5' }],
  ['an unknown template', { type: 'template', template: 'menu' }],
  ['no template', { type: 'template' }],
  [
    'a flashing template without its color',
    { type: 'template', template: 'today_is', strobeFlash: 0, strobeLedlvl: '0' },
  ],
  [
    'a flashing template without its brightness',
    { type: 'template', template: 'today_is', strobeFlash: 14, strobeColor: 'red' },
  ],
  ['strobeFlash 1 in a template', { type: 'template', template: 'today_is', ...strobe, strobeFlash: 1 }],
];

/** Section 4.8.2, each with all of its fields. */
export const templates: Readonly<Record<string, object>> = {
  school_time: { icon1: 'a', icon2: 'b', clockFormat: '12hr', clockSeconds: true, colorScheme: 'bluegrey' },
  school_date_time: {
    icon1: 'a',
    icon2: 'b',
    clockFormat: '24hr',
    clockSeconds: true,
    colorScheme: 'greyblue',
    layout: 2,
  },
  hospital_scrolling_text: { icon1: 'a', text1: 'x', scrollSpeed: '5' },
  hospital_text: { icon1: 'a', text1: 'x' },
  hospital_time: { icon1: 'a', clockFormat: '24hr', clockSeconds: false },
  announcement: { text1: 'x', text2: 'y' },
  dont_forget: { text1: 'x', text2: 'y', text3: 'z' },
  reminder: { text1: 'x', text2: 'y', text3: 'z' },
  today_is: { text1: 'x', image1: 'a' },
  time_date_bg: {
    image1: 'a',
    font: 'din',
    textColor: 'black',
    clockFgColor: 'red',
    clockFormat: '12h',
    clockFont: 'din',
    clockSeconds: true,
  },
  time_date_bg2: {
    image1: 'a',
    font: 'din',
    textColor: 'black',
    clockFgColor: 'red',
    clockFormat: '12hr',
    clockFont: 'din',
    clockSeconds: true,
  },
  dualclock1: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: '#112233',
  },
  dualclock1_nocorner: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: '#112233',
  },
  dualclock2: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    dualClock1Color: 'red',
  },
  dualclock3: {
    image1: 'a',
    icon1: 'b',
    clockSeconds: true,
    clockSecondsAnalog: true,
    analogSecondsColor: 'red',
    dualClock1Color: 'red',
  },
  calendar_time_date: { icon1: 'a', colorScheme: 'light' },
  calendar_time_image: { icon1: 'a', colorScheme: 'dark', image1: 'b' },
  calendar_analog_clock: { icon1: 'a', colorScheme: 'dark' },
  weather_current: { clockFormat: '24h', clockSeconds: true, headline: 'date', showExtra: '1' },
  weather_hourly: { clockFormat: '24hr', clockSeconds: true, headline: 'location', showExtra: '0' },
  weather_weekly: { clockFormat: '12h', clockSeconds: true, headline: 'none', showExtra: '1' },
};

/** Fields that belong to another template. */
export const misplaced: Readonly<Record<string, object>> = {
  school_time: { layout: 1 },
  hospital_text: { scrollSpeed: '1' },
  announcement: { text3: 'z' },
  dualclock2: { analogSecondsColor: 'red' },
  calendar_time_date: { image1: 'b' },
  weather_current: { showExtra: 1 },
  hospital_time: { clockFormat: '12h' },
};
