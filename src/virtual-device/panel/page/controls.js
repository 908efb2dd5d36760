import { make } from './dom.js';

/** Fields that belong to one kind of fault: name, label, what it begins with. */
const OWN_FIELDS = {
  latency: [['ms', 'Milliseconds', 2000]],
  bandwidth: [['bytesPerSecond', 'Bytes per second', 100]],
  status: [['status', 'Status', 503]],
};

const SPEEDS = [
  [1, 'as it is'],
  [10, '10 × as fast'],
  [60, 'a minute per second'],
  [600, 'ten minutes per second'],
  [3600, 'an hour per second'],
];

let lastId = 0;

/** A field with its label. */
function field(label, input) {
  lastId += 1;
  input.id ||= `field-${lastId}`;
  return make('div', { class: 'field' }, make('label', { for: input.id }, label), input);
}

const number = (value, properties = {}) => make('input', { type: 'number', value, ...properties });
const option = (value, text = value) => make('option', { value }, text);

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
  const button = (text, action, properties = {}) =>
    make('button', { type: 'button', onclick: action, ...properties }, text);
  const toggle = (text, action) =>
    make(
      'button',
      {
        type: 'button',
        role: 'switch',
        class: 'switch',
        'aria-checked': 'false',
        onclick: ({ currentTarget }) => action(currentTarget.getAttribute('aria-checked') !== 'true'),
      },
      make('span', { class: 'knob', 'aria-hidden': 'true' }),
      text,
    );
  const form = (submit, ...children) =>
    make(
      'form',
      {
        onsubmit(event) {
          event.preventDefault();
          submit();
        },
      },
      children,
    );

  const kind = make('select');
  const route = make('select');
  const own = make('div', { class: 'row' });
  const chance = number(100, { min: 1, max: 100 });
  const count = number('', { min: 1, placeholder: 'no end' });
  const list = make('ul', { class: 'faults' });
  const showOwn = () =>
    own.replaceChildren(
      ...(OWN_FIELDS[kind.value] ?? []).map(([name, label, value]) =>
        field(label, number(value, { data: { name }, min: 0, required: true })),
      ),
    );
  kind.addEventListener('change', showOwn);
  const addFault = () => {
    const given = { kind: kind.value };
    for (const input of own.querySelectorAll('input')) given[input.dataset.name] = Number(input.value);
    if (route.value !== '*') given.route = route.value;
    if (Number(chance.value) < 100) given.chance = Number(chance.value) / 100;
    if (count.value !== '') given.count = Number(count.value);
    return say('fault', given);
  };
  const faults = form(
    addFault,
    make('div', { class: 'row' }, field('The device', kind), field('Requests', route)),
    own,
    make('div', { class: 'row' }, field('How often, in %', chance), field('How many times', count)),
    make(
      'div',
      { class: 'row' },
      make('button', { class: 'primary' }, 'Add the fault'),
      button('Take all away', () => say('clear-faults')),
    ),
    list,
  );

  const api = toggle('RESTful API off', (isOff) => say('api', { on: !isOff }));
  const full = toggle('Storage full', (isFull) => say('storage', { full: isFull }));
  const password = make('input', { type: 'password', autocomplete: 'off', required: true });
  const certificate = button('Another certificate', () => say('certificate'));
  const troubles = make(
    'div',
    {},
    make('div', { class: 'row' }, api, full),
    form(
      () => {
        const given = { password: password.value };
        password.value = '';
        return say('password', given);
      },
      make('div', { class: 'row' }, field('Another API password', password), make('button', {}, 'Change it')),
    ),
    make(
      'div',
      { class: 'row' },
      button('Reboot (90 s)', () => say('reboot', { seconds: 90 })),
      button('Reboot (5 s)', () => say('reboot', { seconds: 5 })),
      certificate,
    ),
  );

  const ahead = number(0, { step: 1 });
  const speed = make(
    'select',
    {},
    SPEEDS.map(([factor, text]) => option(factor, text)),
  );
  speed.addEventListener('change', () => say('speed', { factor: Number(speed.value) }));
  const nextEvent = button('To just before the next event', () => say('next-event'));
  const time = make(
    'div',
    {},
    form(
      () => say('clock', { ahead: Number(ahead.value) }),
      make(
        'div',
        { class: 'row' },
        field('Clock ahead, in seconds', ahead),
        make('button', {}, 'Set the clock'),
      ),
    ),
    make('div', { class: 'row' }, field('Time runs', speed), nextEvent),
  );

  const model = make('select');
  const firmware = make('input', { type: 'text', required: true, size: 8 });
  const identity = form(
    () => say('become', { model: model.value, firmware: firmware.value }),
    make(
      'div',
      { class: 'row' },
      field('Model', model),
      field('Firmware', firmware),
      make('button', {}, 'Become it'),
    ),
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
    group('Faults', faults),
    group('Troubles', troubles),
    group('Time', time),
    group('Model and firmware', identity),
  );

  function showFaults(all) {
    list.replaceChildren(
      ...all.map((fault) => {
        const { id, struck, kind: what, ...rest } = fault;
        const words = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
        const text = `${[what, ...words].join(', ')}: struck ${struck} ×`;
        return make(
          'li',
          {},
          text,
          ' ',
          button('Remove', () => say('clear-faults', { id }), { 'aria-label': `Remove ${what}` }),
        );
      }),
    );
  }

  let shown = '';
  return {
    hello({ models, faultKinds, mayChange }) {
      kind.replaceChildren(...Object.entries(faultKinds).map(([name, text]) => option(name, text)));
      model.replaceChildren(...models.map(({ number: own, name }) => option(own, name)));
      showOwn();
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
      showFaults(snapshot.faults);
      const before = route.value;
      const paths = snapshot.operations.map((operation) => operation.replace(/\{.*/, '*'));
      route.replaceChildren(option('*', 'all'), ...[...new Set(paths)].map((path) => option(path)));
      if (paths.includes(before)) route.value = before;
      if (document.activeElement !== model) model.value = snapshot.model;
      if (document.activeElement !== firmware) firmware.value = snapshot.firmware;
    },
  };
}
