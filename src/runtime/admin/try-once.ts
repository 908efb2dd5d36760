import type { Node, NodeAPI } from 'node-red';
import { isPlainObject } from '../../catalogue/coerce';
import { isPasswordName, withoutLogin } from '../../catalogue/describe';
import { wordsOf } from '../../client/errors';
import { maskSecrets } from '../../client/secrets';
import { isUnresolved } from '../../kernel/property';
import type { Difference, Tried, TriedReceipt } from '../answers';
import { sentencesIn } from '../bells/localized-lists';
import type { Device } from '../device/device';
import { emitOperation, publish } from '../message/bus';
import { dispatch } from '../message/dispatch';
import type { TargetResult } from '../message/fan-out';
import { kindOf } from '../message/kinds';
import { localizedPartsOf, type Receipt } from '../message/receipt';
import { textIn } from './dialog-values';

const literals = ['str', 'num', 'bool', 'json'];

/** Time until a command from a dialog expires, in seconds. Short, since a user is waiting. */
const ttlSeconds = 10;

const maxAnswerLength = 2_000;

const keptProperties = [
  'endAfter',
  'confirmWrite',
  'reloadAfter',
  'waitUntilBack',
  'skipUnchanged',
  'duringAlert',
];

/**
 * Sends the command of a dialog once, with the same checks, hooks, order and auto-stop as the node of the
 * dialog.
 * @param body `resource`, `operation`, and the parameters: `form`, or JSON in `parameters`. `id`, `name` and
 * `properties` belong to the node. Each value can have any type.
 */
export async function tryOnce(RED: NodeAPI, device: Device, body: unknown): Promise<Tried> {
  const { resource, operation, id, name, properties, chosen, ...source } = Object(body) as Readonly<
    Record<string, unknown>
  >;
  if (resource === 'announce') {
    const announceNode = { id: textIn(id), name: textIn(name) };
    if (operation === 'stop') return stopAnnouncement(RED, device, announceNode);
    return tryAnnouncement(RED, device, announceNode, source);
  }
  if (resource === 'settings' && operation === 'compare' && isPlainObject(chosen))
    return compareOnce(RED, body, chosen);
  const kind = kindOf(`${textIn(resource)}/`);
  const known = kind?.group.operations.find((one) => one.id === operation);
  const written = writtenIn(source);
  if (!kind || !known || !written) return { untried: 'operation', names: [] };
  const names = unwrittenIn(written);
  if (names.length > 0) return { untried: 'message', names };
  const type = `algo-${kind.group.resource}`;
  const node = { id: textIn(id), name: textIn(name) || type, type };
  const given = isPlainObject(properties) ? properties : {};
  const own = Object.fromEntries(keptProperties.map((property) => [property, given[property]]));
  let answered: unknown;
  const onTargetEnd = ({ delivery, receipt }: TargetResult) => {
    answered = delivery.answer?.body;
    publish(receipt, { node: node.name, nodeId: node.id }, (fault) => RED.log.error(wordsOf(fault)));
  };
  const { result } = dispatch({
    as: node,
    operation: `${resource}/${known.id}`,
    device: device.id,
    ttlMs: ttlSeconds * 1_000,
    properties: { ...own, ...written },
    how: { onDone: emitOperation },
    onTargetEnd,
  });
  const { receipts } = await result;
  return { receipts: receipts.map((receipt) => shown(receipt, answered)) };
}

const maxDifferences = 1_000;

/** Time until a comparison expires, in milliseconds; the settings of many devices can be read. */
const compareTtlMs = 60_000;

/**
 * Compares the profile of a dialog with the settings of its targets. Environment variables are replaced, but the
 * answer shows their names only.
 * @param body as for `tryOnce`
 */
async function compareOnce(
  RED: NodeAPI,
  body: unknown,
  { target, device, group, targets }: Readonly<Record<string, unknown>>,
): Promise<Tried> {
  const { id, name, ...source } = Object(body) as Readonly<Record<string, unknown>>;
  const written = writtenIn(source);
  const given = written && profileIn(written);
  if (!given) return { untried: 'operation', names: [] };
  const node = RED.nodes.getNode(textIn(id)) as Node | undefined;
  const { result } = dispatch({
    as: { id: textIn(id), name: textIn(name) || 'algo-settings', type: 'algo-settings' },
    operation: 'settings/compare',
    ttlMs: compareTtlMs,
    properties: {
      ...{ target, device, group, targets },
      ...{ parametersType: 'json', parameters: JSON.stringify(given) },
    },
    // The environment of the node: variables can belong to its tab.
    ...(node && { how: { node } }),
  });
  const { receipts } = await result;
  const differences = receipts.flatMap((receipt) => differencesIn(receipt, given));
  return {
    receipts: receipts.map(({ response: _, ...receipt }) => shown(receipt, undefined)),
    differences: differences.slice(0, maxDifferences),
    more: Math.max(0, differences.length - maxDifferences),
  };
}

function differencesIn(
  { device, response }: Receipt,
  given: Readonly<Record<string, unknown>>,
): Difference[] {
  const { different = {}, unknown = [] } = Object(response) as {
    readonly different?: Readonly<Record<string, { readonly is: string; readonly wanted: string }>>;
    readonly unknown?: readonly string[];
  };
  const wantedOf = (setting: string, wanted: unknown) =>
    isUnresolved(given[setting]) ? given[setting] : String(wanted);
  return [
    ...Object.entries(different).map(([setting, { is, wanted }]) => {
      return { device, setting, is, wanted: wantedOf(setting, wanted) };
    }),
    ...unknown.map((setting) => {
      const wanted = isPasswordName(setting) ? '***' : given[setting];
      return { device, setting, wanted: wantedOf(setting, wanted) };
    }),
  ];
}

/** Returns the names and values of a profile in a dialog; an environment variable as `${NAME}`. */
function profileIn(written: Written): Readonly<Record<string, unknown>> | undefined {
  if (written.parametersType === 'form') {
    const values = Object.entries(written.form).map(([name, entry]) => {
      const { type, value } = Object(entry);
      return [name, type === 'env' ? `\${${textIn(value)}}` : value];
    });
    return Object.fromEntries(values);
  }
  try {
    const values: unknown = JSON.parse(written.parameters);
    return isPlainObject(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

async function tryAnnouncement(
  RED: NodeAPI,
  device: Device,
  node: { readonly id: string; readonly name: string },
  source: Readonly<Record<string, unknown>>,
): Promise<Tried> {
  const written = writtenIn(source);
  if (written?.parametersType !== 'form') return { untried: 'operation', names: [] };
  const names = unwrittenIn(written);
  if (names.length > 0) return { untried: 'message', names };
  const properties = Object.fromEntries(
    Object.entries(written.form).map(([name, entry]) => [name, Object(entry).value]),
  );
  const { playOnce } = await import('../announce/play-once.js');
  return {
    receipts: [shown(await playOnce(RED, device, node, { ...properties, ttl: ttlSeconds }), undefined)],
  };
}

async function stopAnnouncement(
  RED: NodeAPI,
  device: Device,
  node: { readonly id: string; readonly name: string },
): Promise<Tried> {
  const { stopOnce } = await import('../announce/play-once.js');
  return { receipts: [shown(await stopOnce(RED, device, node), undefined)] };
}

/**
 * Returns a receipt for a dialog: the response is shortened, and its passwords are replaced.
 * @param answered the original response. `sentencesIn` finds localized messages only for the original
 * response, not for the copy in the receipt
 */
function shown(receipt: Receipt, answered: unknown): TriedReceipt {
  const { response, ...others } = receipt;
  const text = typeof response === 'string' ? starred('', response) : JSON.stringify(response, starred, 1);
  const begins = text !== undefined && { response: withoutLogin(text.slice(0, maxAnswerLength)) };
  return { ...others, ...begins, localized: { ...localizedPartsOf(receipt), inside: sentencesIn(answered) } };
}

/**
 * Replaces passwords by `***`: the whole value of a field named like a password, and the rest of a line after
 * such a name.
 */
function starred<T>(name: string, value: T): T | string {
  if (isPasswordName(name)) return '***';
  return typeof value === 'string' ? maskSecrets(value) : value;
}

type Written = { parametersType: 'form'; form: object } | { parametersType: 'json'; parameters: string };

function writtenIn({ form, parameters }: Readonly<Record<string, unknown>>): Written | undefined {
  if (typeof parameters === 'string') return { parametersType: 'json', parameters };
  return isPlainObject(form) ? { parametersType: 'form', form } : undefined;
}

function unwrittenIn(written: Written): string[] {
  if (written.parametersType === 'json') return isUnresolved(written.parameters) ? ['parameters'] : [];
  return Object.entries(written.form).flatMap(([field, entry]) => (isLiteral(entry) ? [] : [field]));
}

function isLiteral(entry: unknown): boolean {
  return isPlainObject(entry) && literals.includes(textIn(entry.type)) && !isUnresolved(entry.value);
}
