import {
  either,
  flag,
  integerFrom,
  naturalNumber,
  oneOf,
  optional,
  pictureName,
  required,
  seconds,
} from '../checks/checks';
import { color } from '../checks/colors';

export const font = oneOf('acumin', 'bookman', 'din', 'inter', 'nixie', 'overpass', 'roboto');
const strobeColor = oneOf('red', 'blue', 'green', 'amber');
const position = oneOf(
  ...(['top-left', 'top-center', 'top-right', 'left', 'center', 'right'] as const),
  ...(['bottom-left', 'bottom-center', 'bottom-right'] as const),
);

/** Fields of every variant. Section 4.8 lists the valid numbers of `strobeFlash` only for templates. */
export const commonFields = {
  stopAfter: optional(seconds, { since: '5.7' }),
  strobeFlash: optional(naturalNumber),
  strobeColor: optional(strobeColor),
  strobeColor2: optional(strobeColor),
  strobeLedlvl: optional(oneOf('0', '56', '255')),
};

export const textFields = {
  textBg: optional(flag),
  textBgColor: optional(color),
  textColor: optional(color),
  textFont: optional(font),
  textPosition: optional(oneOf('top', 'middle', 'bottom')),
  textScroll: optional(either(flag, oneOf('true', 'false'), 'true or false')),
  textScrollSpeed: optional(oneOf('1', '2', '3', '4', '5')),
  textSize: optional(
    either(
      oneOf('tiny', 'small', 'medium', 'large'),
      integerFrom(50, 300),
      '"tiny", "small", "medium", "large" or an integer from 50 to 300',
    ),
  ),
};

const anyClockFields = {
  ...commonFields,
  clockSize: optional(oneOf('x-small', 'small', 'medium', 'large', 'x-large')),
  clockPosition: optional(position),
  date: optional(flag),
  datePosition: optional(position),
  dateSize: optional(integerFrom(50, 300)),
  dateColor: optional(color),
  clockBgImage: optional(pictureName),
};

export const digitalClockFields = {
  ...anyClockFields,
  type: required(oneOf('digitalClock')),
  clockFormat: optional(oneOf('12h', '24h')),
  clockSeconds: optional(flag),
  clockBgColor: optional(color),
  clockFgColor: optional(color),
  clockFont: optional(font),
};

export const analogClockFields = {
  ...anyClockFields,
  type: required(oneOf('analogClock')),
  clockSecondsAnalog: optional(flag),
  analogBgColor: optional(color),
  analogFgColor: optional(color),
  analogSecondsColor: optional(color),
};
