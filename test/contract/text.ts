import { absent, refused, rejected, type Transcript, unsupported } from './transcript';

const display = { model: '8420', firmware: '5.7' };
const line = 'POST /api/controls/screen-text/start';
const done = { status: 200 };

/** 4.9 Overlay text. */
export const transcripts: readonly Transcript[] = [
  {
    title: 'a text is drawn on top',
    section: '4.9',
    device: display,
    ask: { operation: 'screen/text-start', parameters: { textContent: 'Evacuate' } },
    request: { line, json: { textContent: 'Evacuate' } },
    leaves: 'overlay',
    answer: done,
  },
  {
    title: 'a text with everything about it',
    section: '4.9',
    device: { model: '8410', firmware: '5.7' },
    ask: {
      operation: 'screen/text-start',
      parameters: {
        textContent: 'Lockdown: stay inside',
        duration: '45',
        persistent: 'true',
        textBg: true,
        textBgColor: '#aa0000',
        textColor: 'white',
        textFont: 'inter',
        textPosition: 'middle',
        textScroll: true,
        textScrollSpeed: 2,
        textSize: '300',
      },
    },
    request: {
      line,
      json: {
        textContent: 'Lockdown: stay inside',
        duration: 45,
        persistent: true,
        textBg: true,
        textBgColor: '#aa0000',
        textColor: 'white',
        textFont: 'inter',
        textPosition: 'middle',
        textScroll: true,
        textScrollSpeed: '2',
        textSize: 300,
      },
    },
    leaves: 'overlay',
    answer: done,
  },
  {
    title: 'a number is a text too, and a size may have a name',
    section: '4.9',
    device: display,
    ask: { operation: 'screen/text-start', parameters: { textContent: 42, textSize: 'medium' } },
    request: { line, json: { textContent: '42', textSize: 'medium' } },
    leaves: 'overlay',
    answer: done,
  },
  {
    title: 'the text goes away',
    section: '4.9',
    device: display,
    before: [{ line, json: { textContent: 'Evacuate' } }],
    ask: { operation: 'screen/text-stop', parameters: {} },
    request: { line: 'POST /api/controls/screen-text/stop' },
    leaves: { overlay: null },
    answer: done,
  },

  ...refused('screen/text-start', '4.9', display, [
    ['the text is missing', {}, 'textContent'],
    ['the text is called textContent here', { text1: 'Evacuate' }, 'text1'],
    ['seconds are not negative', { textContent: 'A', duration: -1 }, 'duration', '-1'],
    ['yes is no boolean', { textContent: 'A', persistent: 'yes' }, 'persistent', 'yes'],
    ['a strobe color is no text color', { textContent: 'A', textColor: 'redd' }, 'textColor', 'redd'],
    ['a font that does not exist', { textContent: 'A', textFont: 'Inter' }, 'textFont', 'inter', 'Inter'],
    [
      'a position that does not exist',
      { textContent: 'A', textPosition: 'center' },
      'textPosition',
      'middle',
      'center',
    ],
    ['a speed begins at 1', { textContent: 'A', textScrollSpeed: '0' }, 'textScrollSpeed', '1', '0'],
    ['a size begins at 50', { textContent: 'A', textSize: 49 }, 'textSize', '50', '49'],
    ['stopAfter belongs to the screen', { textContent: 'A', stopAfter: 5 }, 'stopAfter'],
  ]),
  ...refused('screen/text-stop', '4.9', display, [
    ['stop takes nothing', { textContent: 'A' }, 'textContent'],
  ]),
  unsupported(
    'screen/text-start',
    '4.9',
    { model: '8410', firmware: '5.6' },
    { textContent: 'A' },
    '5.6',
    '5.7',
  ),
  unsupported('screen/text-stop', '4.9', { model: '8301', firmware: '5.7' }, {}, '8301', '8410'),

  ...rejected(line, '4.9', display, [
    ['the text is missing', {}, /textContent/],
    ['a text is a string', { textContent: 42 }, /textContent/],
    ['a duration is an integer', { textContent: 'A', duration: '45' }, /duration/],
    ['persistent is a boolean', { textContent: 'A', persistent: 'true' }, /persistent/],
    ['a font that does not exist', { textContent: 'A', textFont: 'Arial' }, /textFont/],
    ['a field that it does not know', { textContent: 'A', stopAfter: 5 }, /stopAfter/],
  ]),
  absent(line, '4.9', { model: '8410', firmware: '5.6' }, { textContent: 'A' }),
  absent('POST /api/controls/screen-text/stop', '4.9', { model: '8301', firmware: '5.7' }),
];
