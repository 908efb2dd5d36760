import { draw, make } from './dom.js';

/** Sizes of clocks, as shares of the largest and default size (section 4.8.1). */
const clockSizes = { 'x-small': 0.4, small: 0.55, medium: 0.7, large: 0.85, 'x-large': 1 };
const defaultDateSize = 140;

export function digital({ clockFgColor = '', clockFormat = '', clockSeconds = false, clockSize = '' }) {
  const style = { 'font-size': `calc(var(--clock) * ${clockSizes[clockSize] ?? 1})` };
  if (clockFgColor) style.color = clockFgColor;
  return make('div', {
    class: 'digital',
    data: { clock: clockFormat?.startsWith('12') ? '12' : '24', seconds: String(clockSeconds) },
    style,
  });
}

export function analog(screen) {
  const { analogFgColor = 'black', analogBgColor = 'white', analogSecondsColor = 'red', clockSize } = screen;
  const { clockSecondsAnalog = true } = screen;
  const hand = (name, length, width, color) =>
    draw('line', {
      x1: 50,
      y1: 50,
      x2: 50,
      y2: 50 - length,
      stroke: color,
      'stroke-width': width,
      data: { hand: name },
    });
  const marks = Array.from({ length: 12 }, (_, hour) =>
    draw('line', {
      x1: 50,
      y1: 7,
      x2: 50,
      y2: hour % 3 ? 11 : 15,
      stroke: analogFgColor,
      'stroke-width': 2,
      transform: `rotate(${hour * 30} 50 50)`,
    }),
  );
  return draw(
    'svg',
    {
      viewBox: '0 0 100 100',
      class: 'analog',
      'aria-hidden': 'true',
      style: { height: `${85 * (clockSizes[clockSize] ?? 1)}%` },
    },
    draw('circle', { cx: 50, cy: 50, r: 48, fill: analogBgColor, stroke: analogFgColor, 'stroke-width': 2 }),
    marks,
    hand('hours', 24, 4, analogFgColor),
    hand('minutes', 36, 3, analogFgColor),
    clockSecondsAnalog ? hand('seconds', 40, 1, analogSecondsColor) : undefined,
  );
}

/** Places an element in one of the nine positions of section 4.8.1. */
const at = (position, part) => make('div', { class: `at ${position}` }, part);

export function clockFace(screen) {
  const { clockPosition = 'center', date, datePosition = 'bottom-center' } = screen;
  const { dateSize = defaultDateSize, dateColor = 'black' } = screen;
  const face = at(clockPosition, screen.type === 'analogClock' ? analog(screen) : digital(screen));
  if (!date) return [face];
  const style = { 'font-size': `${dateSize / 90}em`, color: dateColor };
  return [face, at(datePosition, make('span', { data: { date: '' }, style }))];
}

/** Sets the clocks of a screen to a time in epoch milliseconds, shown in UTC. */
export function tickScreen(root, now) {
  const date = new Date(now);
  const [hours, minutes, seconds] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const turns = { hours: (hours % 12) * 30 + minutes / 2, minutes: minutes * 6, seconds: seconds * 6 };
  for (const hand of root.querySelectorAll('[data-hand]'))
    hand.setAttribute('transform', `rotate(${turns[hand.dataset.hand]} 50 50)`);
  for (const place of root.querySelectorAll('[data-date]'))
    place.textContent = date.toISOString().slice(0, 10);
  for (const clock of root.querySelectorAll('[data-clock]')) {
    const isShort = clock.dataset.clock === '12';
    const hour = isShort ? hours % 12 || 12 : String(hours).padStart(2, '0');
    const rest = [minutes, ...(clock.dataset.seconds === 'true' ? [seconds] : [])];
    const text = [hour, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
    clock.textContent = isShort ? `${text} ${hours < 12 ? 'AM' : 'PM'}` : text;
  }
}
