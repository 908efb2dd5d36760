import { choiceOf, isUndecided } from './variant.mjs';

/** The definitions that were read, by template: they do not change while the editor is open. */
const known = new WeakMap();

/**
 * The operations of a node type, `{ [id]: { rows, choices, others, atLeast } }`, as the build wrote them into
 * the type's template. Empty for a type without a template.
 */
export function definitionOf(type) {
  const script = document.querySelector(`script[data-template-name="${CSS.escape(type)}"]`);
  if (!script) return {};
  if (!known.has(script)) known.set(script, readTemplate(script.textContent));
  return known.get(script);
}

function readTemplate(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  const sections = [...template.content.querySelectorAll('[data-operation]')];
  return Object.fromEntries(sections.map((section) => [section.dataset.operation, readSection(section)]));
}

/**
 * What the section of an operation holds: `rows` as pairs of name and field, the `choices` of variants, the
 * field of `others`, fields that are `unasked`, and how many entries there must be at least; `rules` across the
 * fields, and across those of each object.
 */
export function readSection(section) {
  const objects = [...section.querySelectorAll('[data-object]')];
  return {
    rows: [...section.querySelectorAll('[data-field]')].map(readRow),
    choices: [...section.querySelectorAll('option[data-rows]')].map(readChoice),
    others: readOthers(section.querySelector('.algo-others')),
    unasked: JSON.parse(section.dataset.unasked ?? '{}'),
    atLeast: Number(section.dataset.atLeast ?? 0),
    rules: readRules(section),
    objects: Object.fromEntries(objects.map((object) => [object.dataset.object, readRules(object)])),
  };
}

function readRules({ dataset }) {
  return JSON.parse(dataset.rules ?? '[]');
}

/** The name and the field that a row stands for; `key` is where the locale file has its words. */
export function readRow(row) {
  return [row.dataset.field, { ...JSON.parse(row.dataset.schema), key: row.dataset.key, isRow: true }];
}

function readChoice(option) {
  const { value, dataset } = option;
  const list = (text = '') => text.split(' ').filter((part) => part !== '');
  return {
    id: value,
    rows: list(dataset.rows).map(Number),
    needs: list(dataset.needs),
    sets: JSON.parse(dataset.sets ?? '{}'),
    rules: readRules(option),
  };
}

function readOthers(list) {
  return list && { ...JSON.parse(list.dataset.schema), key: list.dataset.key, name: list.dataset.name };
}

/** The choices that a form can be told by. */
export function variantsOf({ choices }) {
  return choices.filter(({ id }) => id !== '' && id !== 'all');
}

/**
 * The fields that the stored form of an operation may have, by name, the rules across them, and whether it does
 * not say what it is at all.
 */
export function fieldsFor(definition, stored) {
  const { rows, choices, rules, unasked } = definition;
  const others = Object.entries(unasked);
  if (choices.length === 0) return { fields: new Map([...rows, ...others]), rules, isUndecided: false };
  const variants = variantsOf(definition);
  const id = choiceOf(variants, stored);
  const choice = choices.find((one) => one.id === id);
  const own = Object.keys(choice.sets).map((name) => [name, { type: 'string', enum: [choice.sets[name]] }]);
  const fields = new Map([...own, ...choice.rows.map((place) => rows[place])]);
  return { fields, rules: choice.rules, isUndecided: isUndecided(variants, stored) };
}

/** Whether a parameter that a person named may be sent. `hasOwnProperty` and the like break the editor. */
export function isNameable({ name }, text) {
  return new RegExp(name, 'u').test(text) && !(text in {});
}

/** A finding of `checkEntry` as a sentence. */
export function sentenceOf(translate, field, finding) {
  if (finding === 'required' && !field.required) return translate('form.invalid.empty');
  const part = finding === 'name' ? 'name' : 'limits';
  const limits = field.key ? translate(`${field.key}.${part}`) : '';
  return translate(`form.invalid.${finding}`, { limits });
}
