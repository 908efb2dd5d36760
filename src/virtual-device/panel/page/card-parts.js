import { draw, make } from './dom.js';

/** Creates a countdown in the device's time. In `words`, `{time}` stands for the remaining time. */
export function countdown(deadline, words) {
  if (!deadline) return [];
  const { from, until } = deadline;
  return [
    make('p', { class: 'countdown', data: { from, until, words } }),
    make('progress', { max: 1, value: 1, 'aria-hidden': 'true' }),
  ];
}

export const icon = (path) =>
  draw('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, draw('path', { d: path }));

export const icons = {
  locked:
    'M7 10V7a5 5 0 0 1 10 0v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zm2 0h6V7a3 3 0 0 0-6 0z',
  unlocked:
    'M15 10V7a3 3 0 0 0-5.9-.8l-1.9-.6A5 5 0 0 1 17 7v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z',
  sound: 'M4 9h4l5-4v14l-5-4H4zm11.5-1.5a6 6 0 0 1 0 9l1.3 1.3a8 8 0 0 0 0-11.6z',
  phone:
    'M6.6 3h3l1.4 4.6-2 1.6a12 12 0 0 0 5.8 5.8l1.6-2 4.6 1.4v3c0 1.4-1 2.3-2.3 2.2A17 17 0 0 1 4.4 5.3C4.3 4 5.2 3 6.6 3z',
  power: 'M11 2h2v10h-2zM7.8 5.3 9.2 6.700a7 7 0 1 0 5.6 0l1.4-1.400A9 9 0 1 1 7.8 5.300z',
  alert: 'M12 2 1.5 21h21zm-1 7h2v6h-2zm0 7.500h2v2h-2z',
  stream:
    'M12 13.500a2 2 0 1 1 0-4 2 2 0 0 1 0 4zM7 6.5 8.4 8a5 5 0 0 0 0 7L7 16.500a7 7 0 0 1 0-10zm10 0a7 7 0 0 1 0 10L15.6 15a5 5 0 0 0 0-7z',
};

export const has = (operations, part) => operations.some((operation) => operation.includes(part));
