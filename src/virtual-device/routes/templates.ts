import {
  type Check,
  type Fields,
  flag,
  object,
  oneOf,
  optional,
  pictureName,
  required,
  text,
} from '../checks/checks';
import { color } from '../checks/colors';
import { commonFields, font } from './screen-fields';

const clockFormat = optional(oneOf('12hr', '24hr'));
/**
 * The clock format of templates for which the interface document does not define the spelling; both spellings
 * are accepted.
 */
const anyClockFormat = optional(oneOf('12h', '24h', '12hr', '24hr'));
const image1 = optional(pictureName);
const icon1 = optional(pictureName);
const clockSeconds = optional(flag);
const line = optional(text);

const school: Fields = {
  icon1,
  icon2: optional(pictureName),
  clockFormat,
  clockSeconds,
  colorScheme: optional(oneOf('bluegrey', 'greyblue')),
};

const timeDate: Fields = {
  image1,
  font: optional(font),
  textColor: optional(color),
  clockFgColor: optional(color),
  clockFormat: anyClockFormat,
  clockFont: optional(font),
  clockSeconds,
};

const dualClock: Fields = {
  image1,
  icon1,
  clockSeconds,
  clockSecondsAnalog: optional(flag),
  dualClock1Color: optional(color),
};
const dualClockAnalog: Fields = { ...dualClock, analogSecondsColor: optional(color) };

const calendar: Fields = { icon1, colorScheme: optional(oneOf('light', 'dark')) };

const weather: Fields = {
  clockFormat: anyClockFormat,
  clockSeconds,
  headline: optional(oneOf('date', 'location', 'none')),
  showExtra: optional(oneOf('0', '1')),
};

/** Fields of each template in addition to the fields of all templates (section 4.8.2). */
const templateFields: Readonly<Record<string, Fields>> = {
  school_time: school,
  school_date_time: { ...school, layout: optional(oneOf(1, 2)) },
  hospital_scrolling_text: { icon1, text1: line, scrollSpeed: optional(oneOf('1', '2', '3', '4', '5')) },
  hospital_text: { icon1, text1: line },
  hospital_time: { icon1, clockFormat, clockSeconds },
  announcement: { text1: line, text2: line },
  dont_forget: { text1: line, text2: line, text3: line },
  reminder: { text1: line, text2: line, text3: line },
  today_is: { text1: line, image1 },
  time_date_bg: timeDate,
  time_date_bg2: timeDate,
  dualclock1: dualClockAnalog,
  dualclock1_nocorner: dualClockAnalog,
  dualclock2: dualClock,
  dualclock3: dualClockAnalog,
  calendar_time_date: calendar,
  calendar_time_image: { ...calendar, image1 },
  calendar_analog_clock: calendar,
  weather_current: weather,
  weather_hourly: weather,
  weather_weekly: weather,
};

const templateName = oneOf(...Object.keys(templateFields));

const ownFields = {
  ...commonFields,
  type: required(oneOf('template')),
  template: required(templateName),
  showWeather: optional(flag),
  strobeFlash: optional(oneOf(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
};

const strobeOff = 15;

/** A flashing strobe requires its color and brightness. */
export const templateBody: Check<Readonly<Record<string, unknown>>> = (value, name, device) => {
  const { template } = Object(value);
  const wrong = template === undefined ? [] : templateName(template, 'template', device);
  if (wrong.length > 0) return wrong;
  const fields: Fields = { ...ownFields, ...templateFields[template] };
  return object(fields, ({ strobeFlash, strobeColor, strobeLedlvl }) => {
    if (strobeFlash === undefined || strobeFlash === strobeOff) return undefined;
    if (strobeColor === undefined) return 'strobeColor is missing: strobeFlash needs it';
    return strobeLedlvl === undefined ? 'strobeLedlvl is missing: strobeFlash needs it' : undefined;
  })(value, name, device);
};
