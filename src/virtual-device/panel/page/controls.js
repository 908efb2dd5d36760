import { make } from './dom.js';
import { startFaults } from './faults.js';
import { button, choice, field, form, number, offer, row, toggle } from './form-parts.js';

const speeds = [
  [1, 'as it is'],
  [10, '10 × as fast'],
  [60, 'a minute per second'],
  [600, 'ten minutes per second'],
  [3600, 'an hour per second'],
];

/** What a person does to the device: faults, time, identity. */
export function startControls({ root, order }) {
  const problem = make('p', { class: 'problem', role: 'alert' });
  const say = async (name, given) => {
    problem.textContent = '';
    try {
      await order(name, given);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const faults = startFaults(say);
  const troubles = startTroubles(say);
  const time = startTime(say);
  const identity = startIdentity(say);
  root.append(
    problem,
    group('Faults', faults.element),
    group('Troubles', troubles.element),
    group('Time', time.element),
    group('Model and firmware', identity.element),
  );
  let shown = '';
  return {
    hello(hello) {
      faults.hello(hello);
      identity.hello(hello);
      shown = '';
      const { mayChange } = hello;
      for (const element of root.querySelectorAll('input, select, button')) element.disabled = !mayChange;
      problem.textContent = mayChange ? '' : 'You may look, but not change anything.';
    },
    show(snapshot) {
      troubles.show(snapshot);
      time.show(snapshot);
      const key = JSON.stringify([snapshot.faults, snapshot.operations, snapshot.model, snapshot.firmware]);
      if (key === shown) return;
      shown = key;
      faults.show(snapshot);
      identity.show(snapshot);
    },
  };
}

function group(title, content) {
  return make('details', { class: 'group' }, make('summary', {}, title), content);
}

/** What goes wrong with the device as a whole. */
function startTroubles(say) {
  const api = toggle('RESTful API off', (isOff) => say('api', { on: !isOff }));
  const full = toggle('Storage full', (isFull) => say('storage', { full: isFull }));
  const password = make('input', { type: 'password', autocomplete: 'off', required: true });
  const certificate = button('Another certificate', () => say('certificate'));
  const changePassword = () => {
    const given = { password: password.value };
    password.value = '';
    return say('password', given);
  };
  return {
    element: make(
      'div',
      {},
      row(api, full),
      form(changePassword, row(field('Another API password', password), make('button', {}, 'Change it'))),
      row(
        button('Reboot (90 s)', () => say('reboot', { seconds: 90 })),
        button('Reboot (5 s)', () => say('reboot', { seconds: 5 })),
        certificate,
      ),
    ),
    show({ isApiOn, isFull, address }) {
      api.setAttribute('aria-checked', String(!isApiOn));
      full.setAttribute('aria-checked', String(isFull));
      certificate.hidden = !address.startsWith('https:');
    },
  };
}

function startTime(say) {
  const ahead = number(0, { step: 1 });
  const speed = choice(speeds);
  speed.addEventListener('change', () => say('speed', { factor: Number(speed.value) }));
  const nextEvent = button('To just before the next event', () => say('next-event'));
  return {
    element: make(
      'div',
      {},
      form(
        () => say('clock', { ahead: Number(ahead.value) }),
        row(field('Clock ahead, in seconds', ahead), make('button', {}, 'Set the clock')),
      ),
      row(field('Time runs', speed), nextEvent),
    ),
    show(snapshot) {
      nextEvent.hidden = snapshot.next === null;
      if (document.activeElement !== speed) speed.value = String(snapshot.speed);
    },
  };
}

function startIdentity(say) {
  const model = make('select');
  const firmware = make('input', { type: 'text', required: true, size: 8 });
  return {
    element: form(
      () => say('become', { model: model.value, firmware: firmware.value }),
      row(field('Model', model), field('Firmware', firmware), make('button', {}, 'Become it')),
      make(
        'p',
        { class: 'detail' },
        'It starts anew. What the node or the command line says holds again at its next start.',
      ),
    ),
    hello({ models }) {
      offer(
        model,
        models.map(({ number: own, name }) => [own, name]),
      );
    },
    show(snapshot) {
      if (document.activeElement !== model) model.value = snapshot.model;
      if (document.activeElement !== firmware) firmware.value = snapshot.firmware;
    },
  };
}
