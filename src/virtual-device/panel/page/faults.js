import { make } from './dom.js';
import { button, choice, field, form, number, offer, row } from './form-parts.js';
import { translate } from './words.js';

const variations = ['fixed', 'uniform', 'exponential'].map((name) => [
  name,
  translate(`fault.distributions.${name}`),
]);

const ownFields = {
  latency: [
    ['ms', () => number(2000, { min: 0, required: true })],
    ['distribution', () => choice(variations)],
    ['toMs', () => number('', { min: 0 })],
  ],
  bandwidth: [['bytesPerSecond', () => number(100, { min: 1, required: true })]],
  status: [['status', () => number(503, { min: 400, max: 599, required: true })]],
  'content-type': [['contentType', () => make('input', { type: 'text', value: 'text/html' })]],
};

export function startFaults(send) {
  const ruleForm = startRuleForm(send);
  const list = startList(send, ruleForm.focus);
  const seed = number(1, { min: 0, required: true });
  ruleForm.element.append(list.element);
  return {
    element: make(
      'div',
      {},
      ruleForm.element,
      form(
        () => send('seed', { seed: Number(seed.value) }),
        row(field(translate('fault.seed'), seed), make('button', {}, translate('fault.restart'))),
      ),
    ),
    hello: ruleForm.hello,
    show(snapshot) {
      list.show(snapshot);
      ruleForm.show(snapshot);
    },
  };
}

function startRuleForm(send) {
  const kind = make('select');
  const route = make('select');
  const own = row();
  const chance = number(100, { min: 1, max: 100 });
  const count = number('', { min: 1, placeholder: translate('fault.noEnd') });
  const showOwn = () => own.replaceChildren(...(ownFields[kind.value] ?? []).map(ownField));
  kind.addEventListener('change', showOwn);
  const add = () => {
    const given = { kind: kind.value, ...ownOf(own.querySelectorAll('input, select')) };
    if (route.value !== '*') given.route = route.value;
    if (Number(chance.value) < 100) given.chance = Number(chance.value) / 100;
    if (count.value !== '') given.count = Number(count.value);
    return send('fault', given);
  };
  let offered;
  return {
    element: form(
      add,
      row(field(translate('fault.kind'), kind), field(translate('fault.route'), route)),
      own,
      row(field(translate('fault.chance'), chance), field(translate('fault.count'), count)),
      row(
        make('button', { class: 'primary' }, translate('fault.add')),
        button(translate('fault.clear'), () => send('clear-faults')),
      ),
    ),
    focus: () => kind.focus(),
    hello({ faultKinds }) {
      offer(
        kind,
        faultKinds.map((name) => [name, translate(`fault.kinds.${name}`)]),
      );
      showOwn();
    },
    show({ operations }) {
      const paths = [...new Set(operations.map((operation) => operation.replace(/\{.*/, '*')))];
      // Keeps the options if the routes are the same: a replacement would close an open menu.
      if (paths.join() === offered) return;
      offered = paths.join();
      offer(route, [['*', translate('fault.everyRoute')], ...paths.map((path) => [path])]);
    },
  };
}

function ownField([name, input]) {
  const made = input();
  made.dataset.name = name;
  return field(translate(`fault.fields.${name}`), made);
}

/** Creates the list of faults. If the focused fault is removed, the focus moves to the form. */
function startList(send, focusForm) {
  const element = make('ul', { class: 'faults' });
  const item = (fault) => {
    const take = () => send('clear-faults', { id: fault.id });
    const more = { 'aria-label': translate('fault.removeOne', fault), data: { id: fault.id } };
    return make('li', {}, wordsOf(fault), ' ', button(translate('fault.remove'), take, more));
  };
  return {
    element,
    show({ faults }) {
      const { activeElement: active } = document;
      const at = active instanceof HTMLElement && element.contains(active) ? active.dataset.id : undefined;
      element.replaceChildren(...faults.map(item));
      if (!at) return;
      const same = element.querySelector(`[data-id="${at}"]`);
      if (same) same.focus();
      else focusForm();
    },
  };
}

/**
 * Returns the values of the selected kind's fields, without empty values, the default `fixed`, and a `toMs`
 * that the distribution does not use.
 */
function ownOf(inputs) {
  const entries = [...inputs]
    .filter(({ value }) => value !== '' && value !== 'fixed')
    .map(({ dataset, type, value }) => [dataset.name, type === 'number' ? Number(value) : value]);
  const given = Object.fromEntries(entries);
  if (given.distribution !== 'uniform') delete given.toMs;
  return given;
}

function wordsOf({ id, struck, kind, ...rest }) {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return translate('fault.item', { fault: [kind, ...more].join(', '), struck });
}
