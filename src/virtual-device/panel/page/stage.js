import { everyCard } from './cards.js';
import { tickScreen } from './clocks.js';
import { make } from './dom.js';
import { tickSchedule } from './schedule-card.js';
import { sound } from './sound.js';
import { heardWords } from './sound-cards.js';

/** Draws what the device is doing; a card is drawn anew only when what it shows has changed. */
export function startStage({ root, order, announce, deviceNow }) {
  const drawn = new Map();
  let isHeard = false;
  let tone = null;
  let mayChange = true;

  const say = (name, given) => order(name, given).catch((error) => announce(error.message));

  async function listen() {
    const wanted = isHeard ? tone : null;
    const heard = await sound(wanted);
    // Meanwhile something else may have begun, and says itself what is heard.
    if (wanted !== (isHeard ? tone : null)) return;
    const words = root.querySelector('.heard');
    if (words && heard === 'stand-in' && wanted.address) words.textContent = heardWords.undecoded;
    root.dataset.heard = heard;
  }

  function listenButton() {
    return make(
      'button',
      {
        type: 'button',
        'aria-pressed': String(isHeard),
        data: { key: 'listen' },
        onclick({ currentTarget }) {
          isHeard = !isHeard;
          currentTarget.setAttribute('aria-pressed', String(isHeard));
          void listen();
        },
      },
      'Listen',
    );
  }

  function redraw(card, snapshot) {
    const key = JSON.stringify(card.of(snapshot));
    const before = drawn.get(card.id);
    if (before?.key === key) return;
    const { words, look, parts, hasListen } = card.draw(card.of(snapshot), { order: say });
    const element = make(
      'article',
      {
        class: `card ${look}${card.isWide ? ' wide' : ''}`,
        id: card.id,
        'aria-labelledby': `${card.id}-title`,
      },
      make('h2', { id: `${card.id}-title` }, card.title),
      make('p', { class: 'words' }, words),
      parts,
      hasListen ? listenButton() : undefined,
    );
    for (const button of mayChange ? [] : element.querySelectorAll('.key, .switch')) button.disabled = true;
    const focused = document.activeElement?.dataset?.key;
    const hadFocus = before?.element.contains(document.activeElement);
    if (before) before.element.replaceWith(element);
    else root.append(element);
    if (hadFocus && focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    if (before && before.words !== words) announce(`${card.title}: ${words}`);
    drawn.set(card.id, { key, element, words });
  }

  function show(snapshot) {
    const there = everyCard.filter((card) => card.isThere(snapshot));
    const isOther = [...drawn.keys()].join() !== there.map(({ id }) => id).join();
    if (isOther) {
      root.replaceChildren();
      drawn.clear();
    }
    for (const card of there) redraw(card, snapshot);
    if (JSON.stringify(tone) !== JSON.stringify(snapshot.sound)) {
      tone = snapshot.sound;
      if (isHeard) void listen();
    }
    tick(deviceNow());
  }

  function tick(now) {
    tickScreen(root, now);
    tickSchedule(root, now);
  }

  return {
    show,
    tick,
    isHeard: () => isHeard,
    hello(hello) {
      ({ mayChange } = hello);
      drawn.clear();
      root.replaceChildren();
    },
  };
}
