import { make } from './dom.js';

let lastId = 0;

export function field(label, input) {
  lastId += 1;
  input.id ||= `field-${lastId}`;
  return make('div', { class: 'field' }, make('label', { for: input.id }, label), input);
}

export const row = (...children) => make('div', { class: 'row' }, children);

export const number = (value, properties = {}) => make('input', { type: 'number', value, ...properties });

const options = (pairs) => pairs.map(([value, text = value]) => make('option', { value }, text));

export const choice = (pairs) => make('select', {}, options(pairs));

export function offer(select, pairs) {
  select.replaceChildren(...options(pairs));
}

export const button = (text, action, properties = {}) =>
  make('button', { type: 'button', onclick: action, ...properties }, text);

export const toggle = (text, action) =>
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

export const form = (submit, ...children) =>
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
