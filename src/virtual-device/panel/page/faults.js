import { make } from './dom.js';
import { button, choice, field, form, number, offer, row } from './form-parts.js';

const variations = [
  ['fixed', 'not at all'],
  ['uniform', 'evenly, up to the most'],
  ['exponential', 'by chance, around them'],
];

/** Fields that belong to one kind of fault: name, label, and how it is made. */
const ownFields = {
  latency: [
    ['ms', 'Milliseconds', () => number(2000, { min: 0, required: true })],
    ['distribution', 'How they vary', () => choice(variations)],
    ['toMs', 'Milliseconds at most', () => number('', { min: 0 })],
  ],
  bandwidth: [['bytesPerSecond', 'Bytes per second', () => number(100, { min: 1, required: true })]],
  status: [['status', 'Status', () => number(503, { min: 400, max: 599, required: true })]],
  'content-type': [
    ['contentType', 'Content type', () => make('input', { type: 'text', value: 'text/html' })],
  ],
};

/** What goes wrong with the next requests: a form for more of it, and the list of what there is. */
export function startFaults(say) {
  const wish = startWish(say);
  const list = startList(say, wish.focus);
  const seed = number(1, { min: 0, required: true });
  wish.element.append(list.element);
  return {
    element: make(
      'div',
      {},
      wish.element,
      form(
        () => say('seed', { seed: Number(seed.value) }),
        row(field('Chance begins with', seed), make('button', {}, 'Begin anew')),
      ),
    ),
    hello: wish.hello,
    show(snapshot) {
      list.show(snapshot);
      wish.show(snapshot);
    },
  };
}

/** The form for one more fault. */
function startWish(say) {
  const kind = make('select');
  const route = make('select');
  const own = row();
  const chance = number(100, { min: 1, max: 100 });
  const count = number('', { min: 1, placeholder: 'no end' });
  const showOwn = () => own.replaceChildren(...(ownFields[kind.value] ?? []).map(ownField));
  kind.addEventListener('change', showOwn);
  const add = () => {
    const given = { kind: kind.value, ...ownOf(own.querySelectorAll('input, select')) };
    if (route.value !== '*') given.route = route.value;
    if (Number(chance.value) < 100) given.chance = Number(chance.value) / 100;
    if (count.value !== '') given.count = Number(count.value);
    return say('fault', given);
  };
  let offered;
  return {
    element: form(
      add,
      row(field('The device', kind), field('Requests', route)),
      own,
      row(field('How often, in %', chance), field('How many times', count)),
      row(
        make('button', { class: 'primary' }, 'Add the fault'),
        button('Take all away', () => say('clear-faults')),
      ),
    ),
    focus: () => kind.focus(),
    hello({ faultKinds }) {
      offer(kind, Object.entries(faultKinds));
      showOwn();
    },
    show({ operations }) {
      const paths = [...new Set(operations.map((operation) => operation.replace(/\{.*/, '*')))];
      // A list that is open must not be taken away.
      if (paths.join() === offered) return;
      offered = paths.join();
      offer(route, [['*', 'all'], ...paths.map((path) => [path])]);
    },
  };
}

function ownField([name, label, input]) {
  const made = input();
  made.dataset.name = name;
  return field(label, made);
}

/** The faults that there are. Whoever is at a button of one stays there, or begins anew when it has gone. */
function startList(say, beginAnew) {
  const element = make('ul', { class: 'faults' });
  const item = (fault) => {
    const take = () => say('clear-faults', { id: fault.id });
    const more = { 'aria-label': `Remove ${fault.kind}`, data: { id: fault.id } };
    return make('li', {}, words(fault), ' ', button('Remove', take, more));
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
      else beginAnew();
    },
  };
}

/** What the own fields of a fault say; what belongs to another variation is left out. */
function ownOf(inputs) {
  const entries = [...inputs]
    .filter(({ value }) => value !== '' && value !== 'fixed')
    .map(({ dataset, type, value }) => [dataset.name, type === 'number' ? Number(value) : value]);
  const given = Object.fromEntries(entries);
  if (given.distribution !== 'uniform') delete given.toMs;
  return given;
}

function words({ id, struck, kind, ...rest }) {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return `${[kind, ...more].join(', ')}: struck ${struck} ×`;
}
