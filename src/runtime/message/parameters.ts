import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { isPlainObject } from '../../catalogue/coerce';
import { type IsSecret, isPasswordName } from '../../catalogue/describe';
import { localized, localizedPhrase, type Text } from '../../catalogue/localized-message';
import type { Operation, Parameters } from '../../catalogue/operation';
import { wordsOf } from '../../client/errors';
import { maskSecrets } from '../../client/secrets';
import { isEmpty, isUnresolved, parseJson as kernelJson } from '../../kernel/property';
import { storedNode } from '../stored-node';
import { invalid } from './invalid';

/**
 * The settings that name the source of an action node's parameters, after Node-RED has replaced `${ENV}`.
 * Each value can have any type.
 */
export interface ParameterProperties {
  readonly parametersType?: unknown;
  readonly parameters?: unknown;
  readonly form?: unknown;
}

/**
 * A value or a promise: most sources answer immediately, and waiting for a promise would delay the message.
 */
type Soon<T> = T | Promise<T>;

interface Sources {
  evaluate(type: string, value: unknown): unknown;
  /** Called with the name of a value that an environment variable provides. */
  hide(name: string): void;
  readonly isSecret: IsSecret;
}

const sourceTypes = ['msg', 'flow', 'global', 'env', 'jsonata'];

const shared = ['flow', 'global', 'env', 'jsonata'];

export function isConstant({
  operation,
  parametersType,
  form,
}: ParameterProperties & { readonly operation?: unknown }): boolean {
  if (operation === 'msg' || (parametersType || 'form') !== 'form' || !isPlainObject(form)) return false;
  return Object.values(form).every(
    (entry) => isPlainObject(entry) && !sourceTypes.includes(String(entry.type)),
  );
}

/**
 * Whether the parameters of a message stay the same if a later turn of the event loop reads the parameters.
 * Values from the context, the environment or JSONata can change before that turn.
 */
export function mayBeReadLater({ parametersType, form }: ParameterProperties): boolean {
  const type = parametersType || 'form';
  if (type === 'form' && isPlainObject(form)) {
    return Object.values(form).every((entry) => isPlainObject(entry) && !shared.includes(String(entry.type)));
  }
  return !shared.includes(String(type));
}

/**
 * Collects the parameters of a message, without a check against the operation's fields.
 * @param hidden gets the names of settings whose values come from environment variables
 * @returns a promise only if a source needs time
 * @throws DeviceError INVALID_PARAMETER if the parameters cannot be read; also as a rejection
 */
export function collectParameters(
  RED: NodeAPI,
  node: Node,
  properties: ParameterProperties,
  operation: Operation,
  message: NodeMessage,
  hidden: Set<string>,
): Soon<Parameters> {
  const type = String(properties.parametersType || 'form');
  const isProfile = operation.others !== undefined;
  if (isProfile) for (const name of replacedIn(RED, node, properties, type)) hidden.add(name);
  const sources: Sources = {
    evaluate: evaluator(RED, node, message),
    hide: (name) => isProfile && hidden.add(name),
    isSecret: (name) => hidden.has(name) || isPasswordName(name),
  };
  if (type === 'form') return fromForm(properties.form, operation, sources);
  return fromObject(type, properties.parameters, operation, sources);
}

const replaced = new WeakMap<ParameterProperties, readonly string[]>();

/**
 * Returns the names of the parameters that are environment variables in the flow; in the properties, Node-RED has
 * already replaced the variables.
 */
function replacedIn(
  RED: NodeAPI,
  node: Node,
  properties: ParameterProperties,
  type: string,
): readonly string[] {
  if (type !== 'form' && type !== 'json') return [];
  const known = replaced.get(properties);
  if (known) return known;
  const { form, parameters } = storedNode(RED, node);
  const given = type === 'form' ? properties.form : kernelJson(properties.parameters);
  const isReplaced = (name: string) =>
    type === 'form' ? isUnresolved(Object(Object(form)[name]).value) : isUnresolved(parameters);
  const names = ['parameters', ...Object.keys(Object(given))].filter(isReplaced);
  replaced.set(properties, names);
  return names;
}

function fromObject(
  type: string,
  property: unknown,
  operation: Operation,
  sources: Sources,
): Soon<Parameters> {
  const place = type === 'msg' ? property || 'payload' : property;
  if (type === 'json' && (place === undefined || place === '')) return {};
  const value =
    type === 'json'
      ? withVariables(parseJson('parameters', place, sources), operation, sources)
      : readObject(type, place, sources);
  return then(value, (read) => objectOf(type, place, read, operation));
}

/** Replaces the environment variables in the JSON of a profile of settings, as Node-RED does for rows of a form. */
function withVariables(values: unknown, { others }: Operation, { evaluate, hide }: Sources): unknown {
  if (!others || !isPlainObject(values)) return values;
  const entries = Object.entries(values).map(([name, value]) => {
    if (!isUnresolved(value)) return [name, value];
    hide(name);
    return [name, evaluate('env', value.slice(2, -1)) || value];
  });
  return Object.fromEntries(entries);
}

function objectOf(type: string, place: unknown, value: unknown, operation: Operation): Parameters {
  if (value === undefined || value === null) return {};
  if (isPlainObject(value)) return value;
  if (Buffer.isBuffer(value) && takesBytesAlone(operation)) return { content: value };
  if (Object.keys(operation.fields).length === 0) return {};
  const where = type === 'json' ? localized('theJson') : `${type}.${String(place)}`;
  throw invalid(localized('noParameters', { names: names(operation), where, got: kindOf(value) }));
}

/** Whether an operation requires only the bytes of `content`, as `upload-play` does. */
function takesBytesAlone({ fields, required }: Operation): boolean {
  return fields.content?.type === 'binary' && required.every((name) => name === 'content');
}

function readObject(type: string, place: unknown, sources: Sources): unknown {
  if (!['msg', 'flow', 'global', 'jsonata'].includes(type)) {
    throw invalid(localized('parametersTypeWrong', { type }));
  }
  if (place === undefined || place === '') throw invalid(localized('namesNoProperty', { type }));
  return readSource('parameters', type, place, sources);
}

function fromForm(form: unknown, operation: Operation, sources: Sources): Soon<Parameters> {
  if (form === undefined || form === null || form === '') return {};
  if (!isPlainObject(form)) throw invalid(localized('formNoObject'));
  const names = Object.keys(form);
  const values = names.map((name) => readEntry(name, form[name], sources));
  const fill = (known: readonly unknown[]) => {
    const parameters: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) place(parameters, operation, name, known[index]);
    return parameters;
  };
  return values.some((value) => value instanceof Promise) ? Promise.all(values).then(fill) : fill(values);
}

/**
 * Adds a value under its name. A name such as `state.mode` becomes a property of `state`, if the operation
 * has a field `state` for an object.
 */
function place(
  parameters: Record<string, unknown>,
  operation: Operation,
  name: string,
  value: unknown,
): void {
  const [outer = '', ...inner] = name.split('.');
  const isNested = inner.length > 0 && Object.hasOwn(operation.fields, outer);
  if (!isNested || operation.fields[outer]?.type !== 'object') {
    define(parameters, name, value);
    return;
  }
  const object = parameters[outer];
  if (isPlainObject(object)) define(object, inner.join('.'), value);
  else parameters[outer] = { [inner.join('.')]: value };
}

/** Sets a property, even `__proto__`: a later check must find and reject this name. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function readEntry(name: string, entry: unknown, sources: Sources): unknown {
  if (!isPlainObject(entry)) throw invalid(localized('storedOddly', { name }));
  const { type, value } = entry;
  if (isUnresolved(value)) throw invalid(localized('unsetVariable', { name, variable: value }));
  if (type === 'str') return present(name, value);
  if (type === 'num') return toNumber(name, value, sources);
  if (type === 'bool') return toBoolean(name, value, sources);
  if (type === 'json') return parseJson(name, value, sources);
  if (typeof type !== 'string' || !sourceTypes.includes(type)) {
    throw invalid(localized('unknownType', { name, type: String(type) }));
  }
  if (type === 'env') sources.hide(name);
  return then(readSource(name, type, value, sources), (found) => {
    // Node-RED reads an environment variable that is not set as an empty text.
    if (found !== undefined && found !== null && !(type === 'env' && found === '')) return found;
    const source = type === 'jsonata' ? localized('theExpression') : `${type}.${String(value)}`;
    throw invalid(localized('yieldsNothing', { name, source }));
  });
}

function present(name: string, value: unknown): unknown {
  if (value === undefined || value === null) throw invalid(localized('storedEmpty', { name }));
  return value;
}

function toNumber(name: string, value: unknown, { isSecret }: Sources): unknown {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalid(
    localized('notNumber', {
      name,
      got: isEmpty(value) ? localizedPhrase('nothing') : isSecret(name) ? '***' : JSON.stringify(value),
    }),
  );
}

function toBoolean(name: string, value: unknown, { isSecret }: Sources): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw invalid(
    localized('notBoolean', {
      name,
      got: value === '' ? localizedPhrase('nothing') : isSecret(name) ? '***' : JSON.stringify(value),
    }),
  );
}

function parseJson(name: string, value: unknown, sources: Sources): unknown {
  if (isUnresolved(value)) throw invalid(localized('unsetVariable', { name, variable: value }));
  if (typeof value !== 'string') return value;
  if (value.trim() === '') throw invalid(localized('emptyJson', { name }));
  try {
    return JSON.parse(value);
  } catch (error) {
    throw invalid(
      localized('wrongJson', {
        name,
        words: error instanceof Error ? reasonOfJson(error, name, value, sources) : '',
      }),
    );
  }
}

/** Returns why a text is no JSON, without the part of the text that the error quotes if the text has a secret. */
function reasonOfJson({ message }: Error, name: string, text: string, { isSecret }: Sources): string {
  return maskSecrets(text) === text && !isSecret(name)
    ? message
    : message.replace(/,? ?(?:\.\.\.)?".*"/s, '');
}

function readSource(name: string, type: string, value: unknown, { evaluate }: Sources): unknown {
  const explain = (error: unknown): unknown => {
    // If `msg.a` is missing, reading `msg.a.b` throws a TypeError. The value is then treated as missing.
    if (type === 'msg' && error instanceof TypeError) return undefined;
    throw invalid(
      localized('notReadable', {
        name,
        source: `${type} ${String(value)}`,
        words: withoutQuote(reasonOf(error), name, value),
      }),
    );
  };
  try {
    const found = evaluate(type, value);
    return found instanceof Promise ? found.catch(explain) : found;
  } catch (error) {
    return explain(error);
  }
}

/** Removes the value that an error of an expression quotes, if the field or the expression is about a secret. */
function withoutQuote(reason: string, name: string, source: unknown): string {
  const words = String(source).split(/[^\w.-]+/);
  return [name, ...words].some(isPasswordName) ? reason.replace(/".*"/s, '"***"') : reason;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return wordsOf((error as { message?: unknown } | null)?.message);
}

function evaluator(RED: NodeAPI, node: Node, message: NodeMessage): Sources['evaluate'] {
  return (type, value) => {
    let answer: { error: unknown; result: unknown } | undefined;
    let later: (() => void) | undefined;
    RED.util.evaluateNodeProperty(String(value), type, node, message, (error, result: unknown) => {
      answer = { error, result };
      later?.();
    });
    const settle = () => {
      if (answer?.error) throw answer.error;
      return answer?.result;
    };
    if (answer) return settle();
    return new Promise<void>((resolve) => {
      later = resolve;
    }).then(settle);
  };
}

function then<T>(value: unknown, next: (value: unknown) => T): Soon<T> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function names(operation: Operation): string {
  return Object.keys(operation.fields).join(', ');
}

function kindOf(value: unknown): Text {
  if (Array.isArray(value)) return localizedPhrase('list');
  if (Buffer.isBuffer(value)) return localizedPhrase('oneBuffer');
  if (typeof value === 'object') return localized('otherObject');
  return localized('theValue', { type: typeof value, value: String(value).slice(0, 40) });
}
