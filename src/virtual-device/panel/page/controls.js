import { make } from './dom.js';
import { startFaults } from './faults.js';
import { button, choice, field, form, number, offer, row, toggle } from './form-parts.js';
import { startOutgoing } from './outgoing.js';
import { pageLanguage, translate } from './words.js';

const speeds = [1, 10, 60, 600, 3600].map((speed) => [speed, translate(`time.speeds.${speed}`)]);

export function startControls({ root, order }) {
  const problem = make('p', { class: 'problem', role: 'alert' });
  /**
   * Sends a command and resolves to its result; undefined if the command has no result. Shows the message of
   * a failed command and resolves to undefined.
   */
  const send = async (name, given) => {
    problem.textContent = '';
    try {
      return await order(name, given);
    } catch (error) {
      problem.lang = 'en';
      problem.textContent = error.message;
      return undefined;
    }
  };
  const faults = startFaults(send);
  const troubles = startTroubles(send);
  const outgoing = startOutgoing(send);
  const time = startTime(send);
  const identity = startIdentity(send);
  root.append(
    problem,
    group(translate('controls.faults'), faults.element),
    group(translate('controls.troubles'), troubles.element),
    group(translate('controls.outgoing'), outgoing),
    group(translate('controls.time'), time.element),
    group(translate('controls.identity'), identity.element),
  );
  let shown = '';
  return {
    hello(hello) {
      faults.hello(hello);
      identity.hello(hello);
      shown = '';
      const { mayChange } = hello;
      for (const element of root.querySelectorAll('input, select, button')) element.disabled = !mayChange;
      problem.lang = pageLanguage;
      problem.textContent = mayChange ? '' : translate('mayOnlyLook');
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

function startTroubles(send) {
  const api = toggle(translate('trouble.api'), (isOff) => send('api', { on: !isOff }));
  const full = toggle(translate('trouble.full'), (isFull) => send('storage', { full: isFull }));
  const password = make('input', { type: 'password', autocomplete: 'off', required: true });
  const certificate = button(translate('trouble.certificate'), () => send('certificate'));
  const reboot = (seconds) =>
    button(translate('trouble.reboot', { seconds }), () => send('reboot', { seconds }));
  const changePassword = () => {
    const given = { password: password.value };
    password.value = '';
    return send('password', given);
  };
  return {
    element: make(
      'div',
      {},
      row(api, full),
      form(
        changePassword,
        row(
          field(translate('trouble.password'), password),
          make('button', {}, translate('trouble.changePassword')),
        ),
      ),
      row(reboot(90), reboot(5), certificate),
    ),
    show({ isApiOn, isFull, address }) {
      api.setAttribute('aria-checked', String(!isApiOn));
      full.setAttribute('aria-checked', String(isFull));
      certificate.hidden = !address.startsWith('https:');
    },
  };
}

function startTime(send) {
  const ahead = number(0, { step: 1 });
  const speed = choice(speeds);
  speed.addEventListener('change', () => send('speed', { factor: Number(speed.value) }));
  const nextEvent = button(translate('time.nextEvent'), () => send('next-event'));
  return {
    element: make(
      'div',
      {},
      form(
        () => send('clock', { ahead: Number(ahead.value) }),
        row(field(translate('time.ahead'), ahead), make('button', {}, translate('time.set'))),
      ),
      row(field(translate('time.speed'), speed), nextEvent),
    ),
    show(snapshot) {
      nextEvent.hidden = snapshot.next === null;
      if (document.activeElement !== speed) speed.value = String(snapshot.speed);
    },
  };
}

function startIdentity(send) {
  const model = make('select');
  const firmware = make('input', { type: 'text', required: true, size: 8 });
  return {
    element: form(
      () => send('become', { model: model.value, firmware: firmware.value }),
      row(
        field(translate('become.model'), model),
        field(translate('become.firmware'), firmware),
        make('button', {}, translate('become.do')),
      ),
      make('p', { class: 'detail' }, translate('become.hint')),
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
