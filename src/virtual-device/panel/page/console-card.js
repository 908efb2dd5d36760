import { has } from './card-parts.js';
import { make } from './dom.js';
import { translate } from './words.js';

export const consoleCard = {
  id: 'console',
  title: translate('console.title'),
  isWide: true,
  isThere: ({ operations }) => has(operations, '/console/'),
  draw({ state: { console: events }, buttons }, order) {
    const ids = buttons.length > 0 ? buttons : ['1', '2', '3', '4'];
    return {
      words:
        events.length > 0
          ? events.map(({ type }) => translate(`console.events.${type}`)).join(', ')
          : translate('console.idle'),
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
              translate('console.press', { id }),
            ),
          ),
        ),
      ],
    };
  },
};
