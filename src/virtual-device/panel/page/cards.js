import { draw, make } from './dom.js';
import { screenPicture } from './screen.js';
import { strobePicture } from './strobe.js';

/** A countdown of the device's time; `{time}` stands for what is left. */
function countdown(deadline, words) {
  if (!deadline) return [];
  const { from, until } = deadline;
  return [
    make('p', { class: 'countdown', data: { from, until, words } }),
    make('progress', { max: 1, value: 1, 'aria-hidden': 'true' }),
  ];
}

const icon = (path) =>
  draw('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, draw('path', { d: path }));

const ICONS = {
  locked:
    'M7 10V7a5 5 0 0 1 10 0v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zm2 0h6V7a3 3 0 0 0-6 0z',
  unlocked:
    'M15 10V7a3 3 0 0 0-5.9-.8l-1.9-.6A5 5 0 0 1 17 7v3h1a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z',
  sound: 'M4 9h4l5-4v14l-5-4H4zm11.5-1.5a6 6 0 0 1 0 9l1.3 1.3a8 8 0 0 0 0-11.6z',
  phone:
    'M6.6 3h3l1.4 4.6-2 1.6a12 12 0 0 0 5.8 5.8l1.6-2 4.6 1.4v3c0 1.4-1 2.3-2.3 2.2A17 17 0 0 1 4.4 5.3C4.300 4 5.200 3 6.600 3z',
  power: 'M11 2h2v10h-2zM7.8 5.300 9.200 6.700a7 7 0 1 0 5.600 0l1.400-1.400A9 9 0 1 1 7.800 5.300z',
  alert: 'M12 2 1.500 21h21zm-1 7h2v6h-2zm0 7.500h2v2h-2z',
  stream:
    'M12 13.500a2 2 0 1 1 0-4 2 2 0 0 1 0 4zM7 6.500 8.400 8a5 5 0 0 0 0 7L7 16.500a7 7 0 0 1 0-10zm10 0a7 7 0 0 1 0 10L15.600 15a5 5 0 0 0 0-7z',
};

const has = (operations, part) => operations.some((operation) => operation.includes(part));

function door(id, name) {
  return {
    id: `door-${id}`,
    title: name,
    isThere: ({ operations }) => has(operations, '/door/'),
    of: ({ state, deadlines }) => [state.doors[id], deadlines[`relock ${id}`]],
    draw: ([state, deadline]) => ({
      words: state === 'locked' ? 'Locked' : 'Unlocked',
      look: state === 'locked' ? 'calm' : 'warn',
      parts: [icon(ICONS[state]), ...countdown(deadline, 'locks itself in {time}')],
    }),
  };
}

function output(part, title, path, deadlineName) {
  return {
    id: part,
    title,
    isThere: ({ operations }) => has(operations, path),
    of: ({ state, deadlines }) => [state[part], deadlines[deadlineName]],
    draw: ([state, deadline]) => ({
      words: state === 'enabled' ? 'On' : 'Off',
      look: state === 'enabled' ? 'active' : 'calm',
      parts: [icon(ICONS.power), ...countdown(deadline, 'switches off in {time}')],
    }),
  };
}

const strobe = {
  id: 'strobe',
  title: 'Strobe',
  isWide: true,
  isThere: ({ operations }) => has(operations, '/strobe/'),
  of: ({ state, patterns, deadlines }) => [state.strobe, patterns, deadlines['end of strobe']],
  draw([state, patterns, deadline]) {
    const { words, detail, lamps } = strobePicture(state, patterns);
    return {
      words,
      look: state ? 'lit' : 'calm',
      parts: [lamps, make('p', { class: 'detail' }, detail), ...countdown(deadline, 'goes out in {time}')],
    };
  },
};

const screen = {
  id: 'screen',
  title: 'Screen',
  isWide: true,
  isThere: ({ operations }) => has(operations, '/screen'),
  of: ({ state: { screen: shown, overlay }, deadlines }) => [
    { screen: shown, overlay },
    deadlines['end of screen'],
    deadlines['end of text'],
  ],
  draw([state, content, text]) {
    const { words, detail, glass } = screenPicture(state);
    return {
      words,
      look: state.screen || state.overlay ? 'active' : 'calm',
      parts: [
        glass,
        make('p', { class: 'detail' }, detail),
        ...countdown(content, 'back to the default in {time}'),
        ...countdown(text, 'text goes in {time}'),
      ],
    };
  },
};

function toneDetail({ loop, mcast, playback, state }) {
  const where = [state?.address, state?.port].filter(Boolean).join(':');
  return [
    loop ? 'again and again' : 'once',
    mcast ? `multicast${where ? ` to ${where}` : ''}` : '',
    playback === 'false' ? 'not heard here' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

const tone = {
  id: 'tone',
  title: 'Sound',
  isThere: ({ operations }) => has(operations, '/tone/') || has(operations, '/test/'),
  of: ({ state, deadlines }) => [
    state.tone,
    state.test,
    state.upload,
    deadlines['end of tone'] ?? deadlines['end of test'],
    deadlines['start of upload'],
  ],
  draw([playing, test, upload, end, start]) {
    const isTesting = test !== 'stopped';
    const words = playing ? playing.path : isTesting ? 'Test' : upload ? 'Getting ready' : 'Silent';
    const detail = playing ? toneDetail(playing) : isTesting ? test : '';
    return {
      words,
      look: playing || isTesting ? 'active' : upload ? 'warn' : 'calm',
      parts: [
        icon(ICONS.sound),
        make('p', { class: 'detail' }, detail),
        ...countdown(end, 'ends in {time}'),
        ...countdown(start, 'uploaded file plays in {time}'),
      ],
      hasListen: true,
    };
  },
};

const call = {
  id: 'call',
  title: 'Call',
  isThere: ({ operations }) => has(operations, '/call/'),
  of: ({ state, deadlines }) => [state.call, deadlines['end of call']],
  draw: ([state, deadline]) => ({
    words: state ? `${state.tone ? 'Calling' : 'Page to'} ${state.extension}` : 'Idle',
    look: state ? 'active' : 'calm',
    parts: [
      icon(ICONS.phone),
      make(
        'p',
        { class: 'detail' },
        [state?.tone, state?.dtmf && `digits ${state.dtmf}`].filter(Boolean).join(', '),
      ),
      ...countdown(deadline, 'ends in {time}'),
    ],
  }),
};

const emergency = {
  id: 'emergency',
  title: 'Emergency alert',
  isThere: ({ operations }) => has(operations, '/emergency-alert/'),
  of: ({ state }) => [state.emergency],
  draw: ([number]) => ({
    words: number === null ? 'None' : `On: no. ${number}`,
    look: number === null ? 'calm' : 'alarm',
    parts: [icon(ICONS.alert)],
  }),
};

const streams = {
  id: 'streams',
  title: 'Streams',
  isThere: ({ operations }) => has(operations, '/rx/'),
  of: ({ state }) => [state.rx, state.multicast, state.noiseLevel],
  draw: ([rx, multicast, noise]) => ({
    words: rx ? `Port ${rx.port} open` : 'None',
    look: rx ? 'active' : 'calm',
    parts: [
      icon(ICONS.stream),
      make(
        'p',
        { class: 'detail' },
        [multicast && `multicast to ${multicast.address}:${multicast.port}`, `noise ${noise}`]
          .filter(Boolean)
          .join(', '),
      ),
    ],
  }),
};

const CONSOLE_WORDS = { emergency: 'Emergency', call: 'Call', pageMic: 'Page', pageTone: 'Tone' };

const consoleCard = {
  id: 'console',
  title: 'Console',
  isWide: true,
  isThere: ({ operations }) => has(operations, '/console/'),
  of: ({ state, buttons }) => [state.console, buttons],
  draw([events, buttons], { order }) {
    const ids = buttons.length > 0 ? buttons : ['1', '2', '3', '4'];
    return {
      words: events.length > 0 ? events.map(({ type }) => CONSOLE_WORDS[type]).join(', ') : 'Idle',
      look: events.some(({ type }) => type === 'emergency') ? 'alarm' : events.length > 0 ? 'active' : 'calm',
      parts: [
        make(
          'div',
          { class: 'keys' },
          ids.map((id) =>
            make(
              'button',
              {
                type: 'button',
                class: 'key',
                data: { key: `press ${id}` },
                onclick: () => order('press', { id }),
              },
              `Press ${id}`,
            ),
          ),
        ),
      ],
    };
  },
};

const INPUTS = [
  ['relay', 'Relay input', '/info/input.relay.status'],
  ['relay1', 'Relay input 1', '/info/input.relay1.status'],
  ['relay2', 'Relay input 2', '/info/input.relay2.status'],
];

const inputs = {
  id: 'inputs',
  title: 'Relay inputs',
  isThere: ({ operations }) => has(operations, '/info/input.'),
  of: ({ state, operations }) => [
    INPUTS.filter(([, , path]) => has(operations, path)).map(([name, label]) => [
      name,
      label,
      state.inputs[name],
    ]),
  ],
  draw([there], { order }) {
    const isClosed = (text) => text.startsWith('active');
    const closed = there.filter(([, , text]) => isClosed(text)).length;
    return {
      words: closed === 0 ? 'Open' : there.length === 1 ? 'Closed' : `${closed} closed`,
      look: closed > 0 ? 'active' : 'calm',
      parts: there.map(([name, label, text]) =>
        make(
          'button',
          {
            type: 'button',
            role: 'switch',
            class: 'switch',
            'aria-checked': String(isClosed(text)),
            data: { key: `input ${name}` },
            onclick: () => order('input', { name, state: isClosed(text) ? 'open' : 'closed' }),
          },
          make('span', { class: 'knob', 'aria-hidden': 'true' }),
          `${label}: ${text}`,
        ),
      ),
    };
  },
};

const DAY_MS = 86_400_000;

const schedule = {
  id: 'schedule',
  title: 'Schedule of today (UTC)',
  isWide: true,
  isThere: ({ operations }) => has(operations, '/api/schedules'),
  of: ({ today, next, state }) => [today, next, state.lastEvent],
  draw([today, next, last]) {
    const at = (time) => {
      const [hours, minutes, seconds = 0] = time.split(':').map(Number);
      return ((hours * 60 + minutes) * 60 + seconds) * 1000;
    };
    const marks = today.map(({ start_time, color, name, skipped }) =>
      draw(
        'rect',
        {
          x: (at(start_time ?? '00:00') / DAY_MS) * 400 - 2,
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
    return {
      words: next ? next.name || 'Next event' : 'Nothing planned',
      look: next ? 'active' : 'calm',
      parts: [
        ...(next ? countdown({ from: next.at - DAY_MS, until: next.at }, 'in {time}').slice(0, 1) : []),
        draw(
          'svg',
          { viewBox: '0 0 400 52', class: 'day', 'aria-hidden': 'true' },
          draw('line', { x1: 0, y1: 34, x2: 400, y2: 34, class: 'line' }),
          marks,
          hours,
          draw('line', { x1: 0, y1: 2, x2: 0, y2: 38, class: 'now', data: { now: '' } }),
        ),
        make(
          'ul',
          { class: 'events' },
          today.map(({ start_time, name, skipped }) =>
            make('li', {}, `${start_time} ${name}${skipped ? ' (skipped)' : ''}`),
          ),
        ),
        make('p', { class: 'detail' }, last ? `last: ${last.name} at ${last.at.slice(11, 19)}` : ''),
      ],
    };
  },
};

/** Everything that a device may have, in the order of the page. */
export const CARDS = [
  strobe,
  screen,
  consoleCard,
  emergency,
  door('local', 'Door “local”'),
  door('netdc1', 'Door “netdc1”'),
  output('relay', 'Relay output', '/relay/', 'end of relay'),
  output('aux24v', '24 V output', '/24v/', ''),
  tone,
  call,
  streams,
  inputs,
  schedule,
];

/** Moves the line of now along the day. */
export function tickSchedule(root, now) {
  const x = ((now % DAY_MS) / DAY_MS) * 400;
  for (const line of root.querySelectorAll('[data-now]')) {
    line.setAttribute('x1', x);
    line.setAttribute('x2', x);
  }
}
