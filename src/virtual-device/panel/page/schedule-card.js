import { countdown, has } from './card-parts.js';
import { draw, make } from './dom.js';
import { translate } from './words.js';

const dayMs = 86_400_000;

export const schedule = {
  id: 'schedule',
  title: translate('schedule.title'),
  isWide: true,
  isThere: ({ operations }) => has(operations, '/api/schedules'),
  draw({ today, next, state: { lastEvent: last, streaming } }) {
    return {
      words: next ? next.name || translate('schedule.next') : translate('schedule.nothing'),
      look: next ? 'active' : 'calm',
      parts: [
        ...(next
          ? countdown({ from: next.at - dayMs, until: next.at }, translate('schedule.in')).slice(0, 1)
          : []),
        dayLine(today),
        eventList(today),
        streaming === null ? undefined : make('p', {}, translate('schedule.streaming', { file: streaming })),
        make(
          'p',
          { class: 'detail' },
          last ? translate('schedule.last', { event: last.name, time: last.at.slice(11, 19) }) : '',
        ),
      ],
    };
  },
};

/** Draws the day as a line of 400 units, with a mark for each event and a line for the current time. */
function dayLine(today) {
  const marks = today.map(({ start_time, color, name, skipped }) =>
    draw(
      'rect',
      {
        x: (msOf(start_time ?? '00:00') / dayMs) * 400 - 2,
        y: skipped ? 24 : 8,
        width: 4,
        height: skipped ? 8 : 24,
        style: { fill: color ?? 'currentColor' },
      },
      draw('title', {}, `${start_time} ${name}`),
    ),
  );
  const hours = [0, 6, 12, 18, 24].map((hour) =>
    draw(
      'text',
      { x: Math.min(386, Math.max(2, (hour / 24) * 400 - 6)), y: 48, class: 'hour' },
      String(hour),
    ),
  );
  return draw(
    'svg',
    { viewBox: '0 0 400 52', class: 'day', 'aria-hidden': 'true' },
    draw('line', { x1: 0, y1: 34, x2: 400, y2: 34, class: 'line' }),
    marks,
    hours,
    draw('line', { x1: 0, y1: 2, x2: 0, y2: 38, class: 'now', data: { now: '' } }),
  );
}

/** Returns milliseconds since midnight. */
function msOf(time) {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function eventList(today) {
  const items = today.map(({ start_time, name, skipped }) => {
    const event = `${start_time} ${name}`;
    return make('li', {}, skipped ? translate('schedule.skipped', { event }) : event);
  });
  return make('ul', { class: 'events' }, items);
}

/** Moves the line of the current time to `now`, in epoch milliseconds. */
export function tickSchedule(root, now) {
  const x = ((now % dayMs) / dayMs) * 400;
  for (const line of root.querySelectorAll('[data-now]')) {
    line.setAttribute('x1', x);
    line.setAttribute('x2', x);
  }
}
