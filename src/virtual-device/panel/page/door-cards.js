import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';
import { translate } from './words.js';

export function door(id) {
  return {
    id: `door-${id}`,
    title: translate('door.title', { id }),
    isThere: ({ operations }) => has(operations, '/door/'),
    draw({ state: { doors }, deadlines }) {
      const isLocked = doors[id] === 'locked';
      return {
        words: translate(isLocked ? 'door.locked' : 'door.unlocked'),
        look: isLocked ? 'calm' : 'warn',
        parts: [icon(icons[doors[id]]), ...countdown(deadlines[`relock ${id}`], translate('door.end'))],
      };
    },
  };
}

/**
 * Creates the card of a device output.
 * @param part name of the output in the device's state
 */
export function output(part, path, deadlineName) {
  return {
    id: part,
    title: translate(`output.titles.${part}`),
    isThere: ({ operations }) => has(operations, path),
    draw({ state, deadlines }) {
      const isOn = state[part] === 'enabled';
      return {
        words: translate(isOn ? 'output.on' : 'output.off'),
        look: isOn ? 'active' : 'calm',
        parts: [icon(icons.power), ...countdown(deadlines[deadlineName], translate('output.end'))],
      };
    },
  };
}

const inputNames = [
  ['relay', '/info/input.relay.status'],
  ['relay1', '/info/input.relay1.status'],
  ['relay2', '/info/input.relay2.status'],
];

export const inputs = {
  id: 'inputs',
  title: translate('inputs.title'),
  isThere: ({ operations }) => has(operations, '/info/input.'),
  draw({ state, operations }, order) {
    const there = inputNames
      .filter(([, path]) => has(operations, path))
      .map(([name]) => [name, state.inputs[name]]);
    const isClosed = (text) => text.startsWith('active');
    const closed = there.filter(([, text]) => isClosed(text)).length;
    return {
      words: closedWords(closed, there.length),
      look: closed > 0 ? 'active' : 'calm',
      parts: there.map(([name, text]) =>
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
          translate('inputs.state', { input: translate(`inputs.names.${name}`), state: text }),
        ),
      ),
    };
  },
};

function closedWords(closed, all) {
  if (closed === 0) return translate('inputs.open');
  return all === 1 ? translate('inputs.closed') : translate('inputs.someClosed', { count: closed });
}
