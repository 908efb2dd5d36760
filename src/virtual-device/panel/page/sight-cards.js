import { countdown, has } from './card-parts.js';
import { make } from './dom.js';
import { screenPicture } from './screen.js';
import { strobePicture } from './strobe.js';
import { translate } from './words.js';

const testLights = ['8128', '8138', '8410', '8420'];

export const strobe = {
  id: 'strobe',
  title: translate('strobe.title'),
  isWide: true,
  isThere: ({ operations }) => has(operations, '/strobe/'),
  draw(snapshot) {
    const state = activeStrobe(snapshot);
    const { words, detail, lamps } = strobePicture(state, snapshot.patterns);
    const end = countdown(snapshot.deadlines['end of strobe'], translate('strobe.end'));
    return {
      words,
      look: state ? 'lit' : 'calm',
      parts: [lamps, make('p', { class: 'detail' }, detail), ...end],
    };
  },
};

/**
 * Returns the lit strobe; null if the strobe is dark. The light comes from a strobe command, a display's
 * content, or the test of a model with a strobe (sections 4.5, 4.8).
 */
function activeStrobe({ state, model, patterns }) {
  const { strobe: own, screen: shown, test } = state;
  const {
    strobeFlash: pattern,
    strobeColor: color1 = 'red',
    strobeColor2: color2,
    strobeLedlvl: ledlvl,
  } = shown ?? {};
  const asked = own ?? (pattern === undefined ? undefined : { pattern, color1, color2, ledlvl });
  if (asked) return patterns[asked.pattern] === 'Off' ? null : asked;
  return test !== 'stopped' && testLights.includes(model) ? { color1: 'red', isTest: true } : null;
}

export const screen = {
  id: 'screen',
  title: translate('screen.title'),
  isWide: true,
  isThere: ({ operations }) => has(operations, '/screen'),
  draw({ state: { screen: shown, overlay }, pictures, deadlines, operations }) {
    // Firmware 5.7 added the overlay text and changed the default text size (section 4.9).
    const defaultTextSize = has(operations, '/screen-text/') ? 'small' : 'large';
    const { words, detail, glass } = screenPicture({ screen: shown, overlay, pictures, defaultTextSize });
    return {
      words,
      look: shown || overlay ? 'active' : 'calm',
      parts: [
        glass,
        make('p', { class: 'detail' }, detail),
        ...countdown(deadlines['end of screen'], translate('screen.end')),
        ...countdown(deadlines['end of overlay'], translate('screen.textEnd')),
      ],
    };
  },
};
