import { draw, make } from './dom.js';
import { translate } from './words.js';

const lampCount = 8;
const everyLamp = Array.from({ length: lampCount }, (_, index) => index);

/** Maximum number of flashes per second: more can trigger seizures. */
const fastest = 2.5;

const levels = { 0: 'low', 1: 'low', 2: 'medium', 3: 'high', 56: 'medium', 255: 'high' };
const dimmed = { low: 0.55, medium: 0.78, high: 1 };

const nameOf = ({ pattern, isTest }, patterns) => (isTest ? 'steady' : (patterns[pattern] ?? ''));

export function strobePicture(strobe, patterns) {
  const name = strobe ? nameOf(strobe, patterns) : '';
  if (!strobe)
    return { words: translate('strobe.off'), detail: translate('strobe.dark'), lamps: lamps(undefined) };
  const motion = motionOf(name);
  const hasTwo = /two-color|multicolor|alternat|side to side/i.test(name) && strobe.color2;
  const level = levels[strobe.ledlvl] ?? 'high';
  const { color1: one, color2: other, pattern: number } = strobe;
  const colors = hasTwo ? translate('strobe.two', { one, other }) : one;
  const pattern = strobe.isTest ? translate('strobe.test') : name || translate('strobe.pattern', { number });
  return {
    words: translate(motion.kind === 'steady' ? 'strobe.lit' : 'strobe.flashing', { colors }),
    detail: translate(`strobe.levels.${level}`, { pattern }),
    color: strobe.color1,
    lamps: lamps(
      strobe,
      motion,
      hasTwo ? strobe.color2 : strobe.color1,
      dimmed[level],
      /multicolor/i.test(name),
    ),
  };
}

function lamps(strobe, motion, second, brightness, isRainbow) {
  const shapes = everyLamp.map((lamp) => {
    const odd = isRainbow ? rainbow[lamp % 4] : lamp < lampCount / 2 ? strobe?.color1 : second;
    return draw('rect', {
      x: 6 + lamp * 49,
      y: 8,
      width: 45,
      height: 84,
      rx: 9,
      class: strobe ? `lamp ${motion.kind}` : 'lamp dark',
      data: strobe ? { color: odd } : {},
      style: strobe
        ? {
            '--round': `${motion.seconds}s`,
            '--turn': `${(motion.turns[lamp] * motion.seconds).toFixed(2)}s`,
            '--bright': brightness,
          }
        : {},
    });
  });
  return make(
    'div',
    { class: 'lamps', data: strobe ? { color: strobe.color1 } : {} },
    draw('svg', { viewBox: '0 0 400 100', 'aria-hidden': 'true', focusable: 'false' }, shapes),
  );
}

/**
 * Returns the motion of a pattern by its name: seconds of a round, and the phase of each lamp (from 0 to 1).
 */
function motionOf(name) {
  const slow = /slow/i.test(name) ? 1.6 : /medium/i.test(name) ? 0.8 : 1 / fastest;
  const wave = (turn) => ({ kind: 'wave', seconds: slow * 3, turns: everyLamp.map(turn) });
  if (/steady/i.test(name)) return { kind: 'steady', seconds: 1, turns: everyLamp.map(() => 0) };
  if (/alternat|side to side/i.test(name))
    return {
      kind: 'flash-1',
      seconds: slow * 2,
      turns: everyLamp.map((lamp) => (lamp < lampCount / 2 ? 0 : 0.5)),
    };
  if (/inside/i.test(name)) return wave((lamp) => Math.abs(lamp - 3.5) / 5);
  if (/reverse/i.test(name)) return wave((lamp) => 1 - lamp / lampCount);
  if (/rotat|sweep|scan|spin/i.test(name)) return wave((lamp) => lamp / lampCount);
  if (/sparkle/i.test(name)) return wave((lamp) => ((lamp * 5) % lampCount) / lampCount);
  const flashes = /triple/i.test(name) ? 3 : /double/i.test(name) ? 2 : 1;
  return { kind: `flash-${flashes}`, seconds: flashes > 1 ? 2 : slow, turns: everyLamp.map(() => 0) };
}

const rainbow = ['red', 'amber', 'green', 'blue'];
