import assert from 'node:assert/strict';
import type { Operation, When } from '../../src/catalogue/operation';
import { VirtualDevice } from '../../src/virtual-device/device';
import { routes } from '../../src/virtual-device/routes';
import { everyOperation, namesOf } from '../catalogue/check';
import { books } from '.';
import { promised } from './promised';
import { matches } from './routes';
import { isRead, traceOf } from './traces';
import { namesIn, type Transcript } from './transcript';
import { send } from './wire';

const transcripts = Object.values(books).flat();
const asked = new Set(transcripts.flatMap(({ ask }) => (ask ? [ask.operation] : [])));
const operationNames = [...new Set([...everyOperation.keys(), ...asked, ...Object.keys(promised)])];

/** An event in a group is an event like those outside (2.6a). */
const outsideOfGroups = (name: string): string => name.replace(/^groups\.events\./, 'events.');

/** Method and path as the document writes them, without the query. */
const lineOf = (route: string): string => route.split('?', 1)[0] ?? '';

/** What the transcripts of an operation lack, in words. */
function missingOf(operation: Operation, own: readonly Transcript[]): string[] {
  const sent = own.filter(({ request }) => request);
  if (sent.length === 0) return ['no transcript sends it'];
  const given = new Set(sent.flatMap(({ ask }) => namesIn(ask?.parameters)));
  const fields = namesOf(operation.fields).filter((name) => !given.has(outsideOfGroups(name)));
  const changing = sent.filter((one) => !isRead(one));
  const isTraced = changing.length === 0 || changing.some((one) => traceOf(one));
  return [
    ...(own.some(({ refusal }) => refusal) ? [] : ['no transcript is refused']),
    ...fields.map((name) => `no transcript gives ${name}`),
    ...choicesOf(operation)
      .filter(({ when }) => !sent.some((one) => gives(when, one)))
      .map(({ words }) => `no transcript sends ${words}`),
    ...(isTraced ? [] : ['no transcript says what it leaves to be seen']),
  ];
}

/** What a message must give to mean each body of an operation: its variants, with each value they stand for (4.8). */
function choicesOf({ variants = [] }: Operation): { readonly words: string; readonly when: When }[] {
  return variants.flatMap(({ id, when }) => {
    const single = Object.entries(when).flatMap(([name, values]) =>
      values.map((value) => ({
        words: `${id} with the ${name} ${value}`,
        when: { ...when, [name]: [value] },
      })),
    );
    return single.length > 0 ? single : [{ words: id, when }];
  });
}

/** Whether a message gives all that, an empty list standing for any value. */
function gives(when: When, { ask }: Transcript): boolean {
  return Object.entries(when).every(([name, values]) => {
    const value = ask?.parameters[name];
    return value !== undefined && (values.length === 0 || values.includes(String(value)));
  });
}

/**
 * The lines that a running virtual device does not know. It is asked without a signature, so that it does
 * nothing; its log says all the same which operation that would have been.
 */
async function unknownLines(lines: readonly string[]): Promise<string[]> {
  const device = new VirtualDevice();
  const url = await device.start();
  const unknown: string[] = [];
  try {
    for (const line of lines) {
      const filled = line.replace(/\{\w+\}/g, 'x') as `GET /${string}`;
      await send(url, { line: filled, signature: 'absent' });
      if (device.log.at(-1)?.operation === '') unknown.push(line);
    }
  } finally {
    await device.stop();
  }
  return unknown;
}

/** What is missing of an operation, for all three transcriptions. */
function gapsOf(operationName: string, unknown: readonly string[]): string[] {
  const operation = everyOperation.get(operationName);
  if (!operation) return [`${operationName}: the catalogue has no entry`];
  const own = transcripts.filter(({ ask }) => ask?.operation === operationName);
  const line = lineOf(operation.route);
  return [
    ...missingOf(operation, own).map((words) => `${operationName}: ${words}`),
    ...(unknown.includes(line) ? [`${operationName}: the virtual device has no route ${line}`] : []),
  ];
}

/** What is missing for a route of the virtual device. */
function gapsAt(route: (typeof routes)[number]): string[] {
  const line = `${route.method} ${route.segments.join('/')}`;
  const isKnown = [...everyOperation.values()].some((one) => lineOf(one.route) === line.replace('*}', '}'));
  const reaching = transcripts.filter(({ request }) => matches(route, request));
  const statuses = reaching.flatMap(({ answer }) => (answer ? [answer.status] : []));
  return [
    ...(isKnown ? [] : [`${line}: the catalogue has no entry`]),
    ...(statuses.some((status) => status < 300) ? [] : [`${line}: no transcript reaches it`]),
    ...(statuses.some((status) => status >= 400) ? [] : [`${line}: no transcript is turned down`]),
  ];
}

describe('the three transcriptions of the document', () => {
  it('miss nothing of each other', async () => {
    assert.ok(operationNames.length > 0 && routes.length > 0);
    // What `request` sends is for what a device may learn one day: no device has a route for it.
    const ofTheDocument = [...everyOperation].filter(([operationName]) => operationName !== 'request');
    const unknown = await unknownLines(ofTheDocument.map(([, { route }]) => lineOf(route)));
    const gaps = [
      ...operationNames.flatMap((operationName) => gapsOf(operationName, unknown)),
      ...routes.flatMap(gapsAt),
    ];
    assert.ok(gaps.length === 0, `${gaps.length} missing: ${gaps.join('; ')}`);
  });

  it('tell every title apart', () => {
    const titles = transcripts.map(({ title, device, request, ask }) =>
      [title, device.model, device.firmware, request?.line, ask?.operation].join(' | '),
    );
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });
});
