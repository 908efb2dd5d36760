import { judge, unknown } from '../judge.ts';
import { checkEntry, readValue } from './check.mjs';
import { fieldsFor, isNameable, sentenceOf } from './definition.mjs';

/**
 * What is wrong with a stored form, as the runtime will find it: the name of the row, and a sentence about it;
 * without a name, about the whole. `isRuled` marks what no row finds by itself: the sentence is then the
 * runtime's, and names the row. What only a message or the environment will tell is not called wrong.
 */
export function problemsOf(definition, stored, translate) {
  const { fields, rules, isUndecided } = fieldsFor(definition, stored);
  const findings = entryFindings(definition, fields, stored);
  const say = ([name, { field, finding }]) => ({
    name,
    field,
    sentence: sentenceOf(translate, field, finding),
  });
  const problems = [...findings].map(say);
  if (isUndecided) problems.unshift({ field: {}, sentence: translate('form.invalid.variant') });
  problems.push(...ruleProblems({ ...definition, fields, rules }, stored, findings, translate));
  const sent = Object.keys(stored).filter((name) => !Object.hasOwn(definition.unasked, name));
  if (sent.length < definition.atLeast)
    problems.push({ field: {}, sentence: translate('form.invalid.tooFew') });
  return problems;
}

/** What is wrong with each entry by itself. */
function entryFindings({ others }, fields, stored) {
  const findings = new Map();
  for (const name of new Set([...fields.keys(), ...Object.keys(stored)])) {
    const field = fields.get(name) ?? others ?? { unknown: true };
    const isMisnamed = field === others && !isNameable(others, name);
    const finding = isMisnamed ? 'name' : checkEntry(field, stored[name]);
    if (finding) findings.set(name, { field, finding });
  }
  return findings;
}

/** What is wrong across fields, and inside lists that are written as JSON. */
function ruleProblems({ fields, rules, objects }, stored, findings, translate) {
  const shape = { fields: {}, required: [], rules };
  const values = {};
  for (const [name, field] of fields) {
    if (Object.hasOwn(stored, name) || findings.has(name)) {
      // What is wrong by itself is said already.
      put(objects, values, name, findings.has(name) ? unknown : readValue(stored[name]));
    }
    const [outer, inner] = split(objects, name);
    if (inner === undefined) shape.fields[name] = field;
    else {
      shape.fields[outer] ??= { type: 'object', properties: {}, rules: objects[outer] };
      shape.fields[outer].properties[inner] = field;
    }
  }
  const keyAt = (path) => fields.get(path.join('.'))?.key;
  const labelOf = (path) => keyAt(path) && translate(`${keyAt(path)}.label`);
  return judge(shape, values, labelOf).map(({ path, sentence }) => {
    const name = Object.hasOwn(objects, path[0]) ? path.slice(0, 2).join('.') : path[0];
    return { name, field: fields.get(name) ?? {}, sentence, isRuled: true };
  });
}

function put(objects, values, name, value) {
  const [outer, inner] = split(objects, name);
  if (inner === undefined) values[name] = value;
  else {
    values[outer] ??= {};
    values[outer][inner] = value;
  }
}

/** The name of a field inside an object: `state.mode`. */
function split(objects, name) {
  const [outer, ...inner] = name.split('.');
  return inner.length > 0 && Object.hasOwn(objects, outer) ? [outer, inner.join('.')] : [name];
}
