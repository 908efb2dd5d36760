import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';

/** The card of a door, by its id and title. */
export function door(id, name) {
  return {
    id: `door-${id}`,
    title: name,
    isThere: ({ operations }) => has(operations, '/door/'),
    of: ({ state, deadlines }) => [state.doors[id], deadlines[`relock ${id}`]],
    draw: ([state, deadline]) => ({
      words: state === 'locked' ? 'Locked' : 'Unlocked',
      look: state === 'locked' ? 'calm' : 'warn',
      parts: [icon(icons[state]), ...countdown(deadline, 'locks itself in {time}')],
    }),
  };
}

/** The card of an output, by its part of the state and its title. */
export function output(part, title, path, deadlineName) {
  return {
    id: part,
    title,
    isThere: ({ operations }) => has(operations, path),
    of: ({ state, deadlines }) => [state[part], deadlines[deadlineName]],
    draw: ([state, deadline]) => ({
      words: state === 'enabled' ? 'On' : 'Off',
      look: state === 'enabled' ? 'active' : 'calm',
      parts: [icon(icons.power), ...countdown(deadline, 'switches off in {time}')],
    }),
  };
}

const inputNames = [
  ['relay', 'Relay input', '/info/input.relay.status'],
  ['relay1', 'Relay input 1', '/info/input.relay1.status'],
  ['relay2', 'Relay input 2', '/info/input.relay2.status'],
];

export const inputs = {
  id: 'inputs',
  title: 'Relay inputs',
  isThere: ({ operations }) => has(operations, '/info/input.'),
  of: ({ state, operations }) => [
    inputNames
      .filter(([, , path]) => has(operations, path))
      .map(([name, label]) => [name, label, state.inputs[name]]),
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
