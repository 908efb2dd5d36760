import type { NodeAPI } from 'node-red';
import { isPlainObject } from '../../catalogue/coerce';
import { withoutLogin } from '../../catalogue/describe';
import { wordsOf } from '../../client/errors';
import type { Tried, TriedReceipt } from '../answers';
import { autoStopScheduler } from '../auto-stop/auto-stops';
import { sentencesIn } from '../bells/list-sayings';
import type { Device } from '../device/device';
import { isUnresolved } from '../device/settings';
import { emitOperation, publish } from '../message/bus';
import { fanOut, type TargetResult } from '../message/fan-out';
import { kindOf, madeUp } from '../message/kinds';
import { type Receipt, sayingsOf } from '../message/receipt';
import { textIn } from './dialog-values';

/** What is known without a message: anything else a dialog cannot send. */
const literals = ['str', 'num', 'bool', 'json'];

/** A person waits: nothing is sent later than this, and nothing is tried again. */
const ttlSeconds = 10;

/** Of an answer nobody reads more than this in a dialog. */
const maxAnswerLength = 2_000;

/** A name of a password and what separates it from its value, then the rest of the line, which may be the value. */
const secretLine = /((?:pwd|pass|password)["']?\s*[:=>])[^\n]*/gi;

/** What of a node's properties counts as well. */
const kept = ['endAfter', 'confirmWrite', 'reloadAfter', 'waitUntilBack', 'skipUnchanged'];

/**
 * Sends once what a dialog says, as its node would: with the same checks, hooks, order and end.
 * @param body `noun`, `operation`, `form` or JSON as `parameters`, and of the node `id`, `name` and `properties`; of
 * any shape
 */
export async function tryOnce(RED: NodeAPI, device: Device, body: unknown): Promise<Tried> {
  const { noun, operation, id, name, properties, ...source } = Object(body) as Readonly<
    Record<string, unknown>
  >;
  const kind = kindOf(`${textIn(noun)}/`);
  const known = kind?.group.operations.find((one) => one.id === operation);
  const written = writtenIn(source);
  if (!kind || !known || !written) return { untried: 'operation', names: [] };
  const names = unwrittenIn(written);
  if (names.length > 0) return { untried: 'message', names };
  const type = `algo-${kind.group.resource}`;
  const node = { id: textIn(id), name: textIn(name) || type, type };
  const given = isPlainObject(properties) ? properties : {};
  const own = Object.fromEntries(kept.map((property) => [property, given[property]]));
  const sent = { ...own, ...written, device: device.id, ttl: ttlSeconds, retryFor: 0 };
  const action = madeUp(kind, node, `${noun}/${known.id}`, sent, autoStopScheduler(RED));
  let answered: unknown;
  const onEnd = ({ delivery, receipt }: TargetResult) => {
    answered = delivery.answer?.body;
    publish(receipt, { node: node.name, nodeId: node.id }, (fault) => RED.log.error(wordsOf(fault)));
    emitOperation(delivery.happened(receipt));
  };
  const { result } = fanOut(action, { _msgid: '' }, { onEnd });
  const { receipts } = await result;
  return { receipts: receipts.map((receipt) => shown(receipt, answered)) };
}

/** @param answered what its sentences are known by, as the receipt has a copy */
function shown(receipt: Receipt, answered: unknown): TriedReceipt {
  const { response, ...others } = receipt;
  const text = typeof response === 'string' ? starred('', response) : JSON.stringify(response, starred, 1);
  const begins = text !== undefined && { response: withoutLogin(text.slice(0, maxAnswerLength)) };
  return { ...others, ...begins, said: { ...sayingsOf(receipt), inside: sentencesIn(answered) } };
}

/** Settings, and texts that hold some, may hold passwords: whoever may try a device need not know them. */
function starred<T>(name: string, value: T): T | string {
  if (/pwd|pass(?:word)?$/i.test(name)) return '***';
  return typeof value === 'string' ? value.replace(secretLine, '$1***') : value;
}

/** Where the parameters are: in fields, or in JSON in their place. */
type Written = { parametersType: 'form'; form: object } | { parametersType: 'json'; parameters: string };

function writtenIn({ form, parameters }: Readonly<Record<string, unknown>>): Written | undefined {
  if (typeof parameters === 'string') return { parametersType: 'json', parameters };
  return isPlainObject(form) ? { parametersType: 'form', form } : undefined;
}

/** The names of what only a message or the environment would tell. */
function unwrittenIn(written: Written): string[] {
  if (written.parametersType === 'json') return isUnresolved(written.parameters) ? ['parameters'] : [];
  return Object.entries(written.form).flatMap(([field, entry]) => (isLiteral(entry) ? [] : [field]));
}

function isLiteral(entry: unknown): boolean {
  return isPlainObject(entry) && literals.includes(textIn(entry.type)) && !isUnresolved(entry.value);
}
