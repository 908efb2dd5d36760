import { interpolate } from './interpolate';

/**
 * The parts of messages about fields and parameters, in English. `__names__` stand for values, `{names}` for
 * fields. Errors and logs use these texts. The editor translates the texts
 * (`locales/<language>/phrases.json`), so no other code may compose such messages.
 */
export const phrases = {
  // The allowed values of a field, in words that fit after "must be" and after a colon.
  known: 'known',
  oneOf: 'one of __values__',
  allowedValues: 'allowed values: __values__',
  either: '__first__, or __second__',
  boolean: 'true or false',
  flag: 'true, false, 1 or 0',
  setting: 'text or a number (write on and off as "1" and "0")',
  object: 'an object of __names__',
  list: 'a list',
  listNotEmpty: 'a list that is not empty',
  listOfAtMost: 'a list of at most __count__ entries',
  listOfObjects: '__list__, each an object of __names__',
  any: 'an object, a list, a text or a Buffer',
  bufferOrText: 'a Buffer or text',
  buffer: 'a Buffer (set the http request node to return a binary buffer)',
  text: 'text',
  textNotEmpty: 'text that is not empty',
  textOfAtMost: 'text of at most __count__ characters',
  charactersAtMost: 'at most __count__ characters __format__',
  number: 'a number',
  wholeNumber: 'a whole number',
  numberOfSeconds: 'a number of seconds',
  wholeNumberOfSeconds: 'a whole number of seconds',
  fromTo: '__number__ from __minimum__ to __maximum__',
  orMore: '__number__, __minimum__ or more',
  // The formats of texts.
  seconds: 'whole seconds, 0 or more',
  port: 'a port number from 1 to 65535',
  decibel: 'decibels such as 65 or -12dB',
  dtmf: 'consisting of digits, *, #, A to D, and commas for pauses of 500 ms',
  color: 'an SVG color name in small letters, such as navy, or a code such as #1a2b3c',
  'hex-color': 'a color code such as #1a2b3c',
  date: 'a date such as 2026-05-31',
  dates: 'dates such as 2026-05-31, separated by commas',
  'start-date': 'a date such as 2026-05-31, or empty for today',
  time: 'a time such as 07:30 or 07:30:15',
  rrule:
    'empty or a rule such as FREQ=WEEKLY;BYDAY=MO,FR without blanks, from FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, COUNT, UNTIL and BYDAY',
  method: 'an HTTP method in capitals, such as POST',
  json: 'JSON text',
  'target-path': 'a path such as /api/controls/tone/stop, without protocol and host',
  'request-path':
    'a path such as /api/info/about: exactly one slash at the start, percent-encoded, without "#", and without "." and ".." as parts',
  'setting-name': 'the name of a setting such as audio.page.vol, without a slash',
  'file-path': 'a path in the file manager such as tones/chime.wav, without "." and ".." and empty parts',
  'folder-path': 'a folder of the file manager such as tones, without "." and ".." and empty parts',
  // Mistakes in parameters; `__because__` stands for the reason of a rule, listed below.
  missing: '__place__ is required: __limits__',
  missingBecause: '__place__ is required __because__: __limits__',
  wrong: '__place__ must be __limits__; got __got__',
  wrongBecause: '__place__ must be __limits__ __because__; got __got__',
  forbidden: '__place__ is not allowed',
  forbiddenBecause: '__place__ is not allowed __because__',
  exactlyOne: '__place__ must have exactly one of __names__; got __got__',
  unsendable: '__place__ cannot be sent; it must be __limits__',
  unknown: '__place__ is not a parameter; known parameters: __names__',
  unknownOfNone: '__place__ is not a parameter; no parameters exist here',
  unknownOfVariant:
    '__place__ is not a parameter of __variant__, but of __owners__; known parameters: __names__',
  unknownOfKnown: '__place__ is not a parameter of __variant__; known parameters: __names__',
  unknownOfBare: '__place__ is not a parameter of __variant__, which has no parameters',
  contradiction: '__names__ contradict each other: they select __variants__ at the same time',
  saysWhatIsMeant: '__place__ is required to select the variant',
  atLeastOne: '__place__ is required: give at least one',
  atLeastOneOther: 'a parameter is required: give the name and the value of at least one',
  more: 'and __count__ more',
  tooMuch: '__place__ is too large: at most 50,000 values or 500,000 characters per message',
  whatIsGiven: 'the parameters',
  entries: '__count__ entries',
  // Descriptions of an invalid value, which follow the word "got".
  nothing: 'nothing',
  oneBuffer: 'a Buffer',
  oneObject: 'an object',
  // The form in which a warning names a bell: by name and path.
  namedBell: '"__name__" (__place__)',
  // Mistakes in bells and lists of days.
  weekdays: 'daily, once, or weekdays such as mon-fri or mon,wed',
  untilBeforeFrom: '__place__.until is before from',
  neverRings: '__place__ never rings: no day remains between from and until',
  tooManyDays: '__place__ is too long: at most __count__ days',
  spanOnly: '__place__ must contain only start and end, not __name__',
  spanBackwards: '__place__.end is before its start',
  namesNoDay: '__place__ contains no day',
  untilIsBefore: 'until is before from',
  // Mistakes in an iCalendar text.
  icsPlace: 'ics line __line__, column __column__',
  icsLine: 'ics line __line__',
  icsUnclosed: '__place__: BEGIN:__name__ has no END',
  icsNone: '__place__: the text is not an iCalendar text: BEGIN:VCALENDAR is missing',
  icsOneLine:
    '__place__: the line breaks of the calendar are missing; a one-line field removes them, a message or JSON keeps them',
  icsBefore: '__place__: __name__ stands before BEGIN:VCALENDAR',
  icsEnd: '__place__: expected END:__name__, found END:__got__',
  icsQuote: '__place__: a quotation mark is not closed in __got__',
  icsColon: '__place__: the colon is missing in __got__',
  icsName: '__place__: __got__ is not a valid name',
  icsNoStart: '__place__: the entry has no DTSTART',
  icsTime: '__place__: __name__ is not a valid date or time: __got__',
  icsDuration: '__place__: DURATION is not valid: __got__',
  // The reasons of rules.
  toneOrCall: 'for a tone or a call',
  call: 'for a call',
  withEvid: 'together with {evid}',
  withGroupid: 'together with {groupid}',
  withBells: 'with {bells}',
  bells: 'for bells',
  groupGiven: 'when {group} is given',
  newCall: 'for a new API call',
  newPostOrPut: 'for a new POST or PUT',
  newEvent: 'for a new event',
  newSound: 'for a new play_tone or sip_call or api_call event',
  newDialing: 'for a new sip_call or api_call event',
  newApiCall: 'for a new api_call event',
  withDelay: 'together with {delay}',
  numbered: 'in a new event: the device numbers its calls itself',
  noDelay: 'for a new event without a delay',
  newGroup: 'for a new group',
  flashing: 'when {strobeFlash} is not 15 (off)',
  generated: 'for a new record: the device generates it',
  // Supported models and firmware.
  since: 'Firmware __firmware__ or later.',
  sinceOn: 'Firmware __firmware__ or later, or __earlier__ on the __products__.',
  on: 'On the __products__.',
  notOn: 'Not on the __products__.',
  and: '__first__ and __last__',
  devices: 'devices',
  speakers: 'speakers',
  'paging adapters': 'paging adapters',
  intercoms: 'intercoms',
  'visual alerters': 'visual alerters',
  displays: 'displays',
  'door controllers': 'door controllers',
  consoles: 'consoles',
  // Help on the operations that a message can name.
  operationHelp: 'msg.operation is one of __names__.',
} as const;

export type Phrase = keyof typeof phrases;

export type FormatPhrase<Words = string> = (
  phrase: Phrase,
  values?: Readonly<Record<string, string | Words>>,
) => Words;

export const english: FormatPhrase = (phrase, values) => interpolate(phrases[phrase], values);
