import { everyCard } from './cards.js';
import { tickScreen } from './clocks.js';
import { make } from './dom.js';
import { tickSchedule } from './schedule-card.js';
import { sound } from './sound.js';
import { translate } from './words.js';

/** Draws the activity of the device. A card is replaced only if its content has changed. */
export function startStage({ root, order, announce, deviceNow }) {
  const drawn = new Map();
  const listening = startListening(root);
  let mayChange = true;
  const send = (name, given) => order(name, given).catch((error) => announce(error.message, 'en'));

  function redraw(card, snapshot) {
    const content = card.draw(snapshot, send);
    const element = frame(card, content);
    for (const button of mayChange ? [] : element.querySelectorAll('.key, .switch')) button.disabled = true;
    const before = drawn.get(card.id);
    const markup = element.outerHTML;
    if (before?.markup === markup) return;
    if (content.hasListen) element.append(listening.button());
    put(root, element, before?.element);
    const { words } = content;
    if (before && before.words !== words) announce(translate('said', { title: card.title, words }));
    drawn.set(card.id, { markup, element, words });
  }

  function begin() {
    root.replaceChildren();
    drawn.clear();
  }

  function show(snapshot) {
    const there = everyCard.filter((card) => card.isThere(snapshot));
    if ([...drawn.keys()].join() !== there.map(({ id }) => id).join()) begin();
    for (const card of there) redraw(card, snapshot);
    listening.show(snapshot);
    tick(deviceNow());
  }

  function tick(now) {
    tickScreen(root, now);
    tickSchedule(root, now);
  }

  return {
    show,
    tick,
    isHeard: listening.isOn,
    hello(hello) {
      ({ mayChange } = hello);
      begin();
    },
  };
}

function frame(card, { words, look, parts }) {
  return make(
    'article',
    {
      class: `card ${look}${card.isWide ? ' wide' : ''}`,
      id: card.id,
      'aria-labelledby': `${card.id}-title`,
    },
    make('h2', { id: `${card.id}-title` }, card.title),
    make('p', { class: 'words' }, words),
    parts,
  );
}

/**
 * Replaces an element. If a button of the element had the focus, the new button with the same key gets the
 * focus.
 */
function put(root, element, before) {
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement ? active.dataset.key : undefined;
  const hadFocus = before?.contains(active);
  if (before) before.replaceWith(element);
  else root.append(element);
  if (hadFocus && focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function startListening(root) {
  let isOn = false;
  let tone = null;

  async function listen() {
    const wanted = isOn ? tone : null;
    const heard = await sound(wanted);
    // The tone might have changed in the meantime; the new tone has its own text.
    if (wanted !== (isOn ? tone : null)) return;
    const words = root.querySelector('.heard');
    if (words && heard === 'stand-in' && wanted.address)
      words.textContent = translate('sound.heard.undecoded');
    root.dataset.heard = heard;
  }

  function turn({ currentTarget }) {
    isOn = !isOn;
    currentTarget.setAttribute('aria-pressed', String(isOn));
    void listen();
  }

  return {
    isOn: () => isOn,
    button() {
      const state = { type: 'button', 'aria-pressed': String(isOn), data: { key: 'listen' }, onclick: turn };
      return make('button', state, translate('sound.listen'));
    },
    show(snapshot) {
      if (JSON.stringify(tone) === JSON.stringify(snapshot.sound)) return;
      tone = snapshot.sound;
      if (isOn) void listen();
    },
  };
}
