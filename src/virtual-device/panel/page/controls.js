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

  const api = toggle('RESTful API off', (isOff) => say('api', { on: !isOff }));
  const full = toggle('Storage full', (isFull) => say('storage', { full: isFull }));
  const password = make('input', { type: 'password', autocomplete: 'off', required: true });
  const certificate = button('Another certificate', () => say('certificate'));
  const troubles = make(
    'div',
    {},
    row(api, full),
    form(
      () => {
        const given = { password: password.value };
        password.value = '';
        return say('password', given);
      },
      row(field('Another API password', password), make('button', {}, 'Change it')),
    ),
    row(
      button('Reboot (90 s)', () => say('reboot', { seconds: 90 })),
      button('Reboot (5 s)', () => say('reboot', { seconds: 5 })),
      certificate,
    ),
  );

  const ahead = number(0, { step: 1 });
  const speed = choice(speeds);
  speed.addEventListener('change', () => say('speed', { factor: Number(speed.value) }));
  const nextEvent = button('To just before the next event', () => say('next-event'));
  const time = make(
    'div',
    {},
    form(
      () => say('clock', { ahead: Number(ahead.value) }),
      row(field('Clock ahead, in seconds', ahead), make('button', {}, 'Set the clock')),
    ),
    row(field('Time runs', speed), nextEvent),
  );

  const model = make('select');
  const firmware = make('input', { type: 'text', required: true, size: 8 });
  const identity = form(
    () => say('become', { model: model.value, firmware: firmware.value }),
    row(field('Model', model), field('Firmware', firmware), make('button', {}, 'Become it')),
    make(
      'p',
      { class: 'detail' },
      'It starts anew. What the node or the command line says holds again at its next start.',
    ),
  );

  const group = (title, content, isOpen = false) =>
    make('details', { class: 'group', open: isOpen }, make('summary', {}, title), content);
  root.append(
    problem,
    group('Faults', faults.element),
    group('Troubles', troubles),
    group('Time', time),
    group('Model and firmware', identity),
  );

  let shown = '';
  return {
    hello(hello) {
      const { models, mayChange } = hello;
      faults.hello(hello);
      offer(
        model,
        models.map(({ number: own, name }) => [own, name]),
      );
      shown = '';
      for (const element of root.querySelectorAll('input, select, button')) element.disabled = !mayChange;
      problem.textContent = mayChange ? '' : 'You may look, but not change anything.';
    },
    show(snapshot) {
      api.setAttribute('aria-checked', String(!snapshot.isApiOn));
      full.setAttribute('aria-checked', String(snapshot.isFull));
      certificate.hidden = !snapshot.address.startsWith('https:');
      nextEvent.hidden = snapshot.next === null;
      if (document.activeElement !== speed) speed.value = String(snapshot.speed);
      const key = JSON.stringify([snapshot.faults, snapshot.operations, snapshot.model, snapshot.firmware]);
      if (key === shown) return;
      shown = key;
      faults.show(snapshot);
      if (document.activeElement !== model) model.value = snapshot.model;
      if (document.activeElement !== firmware) firmware.value = snapshot.firmware;
    },
  };
}
