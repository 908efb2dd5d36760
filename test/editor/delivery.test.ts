import assert from 'node:assert/strict';
import { everyGroup } from '../../src/catalogue';
import type { Operation } from '../../src/catalogue/operation';
import { queuePolicyFor } from '../../src/client/queue/entry';
import { PropertyFinding } from '../../src/kernel/property';
import { readDeliveryOptions } from '../../src/runtime/message/command';
import { wording, wordingIn } from '../fixtures/wording';
import { read, wordsOfNode } from './pages';

interface Shown {
  readonly ttl: number;
  readonly retryFor: number;
  readonly end?: { readonly by: string; readonly field?: string };
}

const operations = everyGroup.flatMap(({ resource, operations: own }) =>
  own.map((operation): [string, string, Operation] => [resource, operation.id, operation]),
);

/** What the dialog of a node is told of its operations. */
function shownIn(resource: string): Readonly<Record<string, Shown>> {
  const [, data = ''] =
    /class="algo-fold algo-delivery" data-delivery='([^']*)'/.exec(
      read('dist', 'nodes', `${resource}.html`),
    ) ?? [];
  return JSON.parse(data);
}

/** What an operation says of itself, as `resource/operation`, in the order of docs/contract.md 2.5. */
const ends: Readonly<Record<string, string>> = {
  'door/unlock': 'lock',
  'relay/enable': 'disable',
  'relay/24v-enable': '24v-disable',
  'tone/start': 'stop, or by its duration',
  'tone/test-loop': 'test-stop',
  'call/start': 'stop',
  'call/page': 'stop',
  'strobe/start': 'stop, or by its duration',
  'screen/start': 'stop, or by its stopAfter',
  'screen/text-start': 'text-stop, or by its duration',
  'audio/rx-start': 'rx-stop',
  'emergency/start': 'stop',
};

/** Seconds within which a message is sent, where nothing is set: those that are not 0. */
const limited = [
  ...['door/unlock', 'door/munlock', 'relay/enable', 'relay/menable', 'relay/24v-enable', 'tone/start'],
  ...['tone/upload-play', 'tone/test-start', 'tone/test-loop', 'strobe/start', 'screen/start'],
  ...['screen/text-start', 'call/start', 'call/page', 'audio/rx-start', 'emergency/start'],
];

describe('what the dialogs say of the delivery', () => {
  it('has the ends of the contract, and no other', () => {
    const found = everyGroup.flatMap(({ resource }) =>
      Object.entries(shownIn(resource)).flatMap(([id, { end }]) =>
        end ? [[`${resource}/${id}`, end.field ? `${end.by}, or by its ${end.field}` : end.by]] : [],
      ),
    );
    assert.deepEqual(Object.fromEntries(found), ends);
  });

  it('limits what sounds, shows, opens, switches or calls to a minute', () => {
    const found = operations.filter(([resource, id]) => shownIn(resource)[id]?.ttl !== 0);
    const names = found.map(([resource, id]) => `${resource}/${id}`);
    assert.deepEqual(
      limited.filter((name) => !names.includes(name)),
      [],
    );
    for (const name of names)
      assert.doesNotMatch(name, /^(?:info|settings|files|scheduler|system|request)\//);
    for (const [resource, id] of found) assert.equal(shownIn(resource)[id]?.ttl, 60);
  });

  for (const [resource, id, operation] of operations) {
    it(`has the seconds for ${resource}/${id} that the runtime counts`, () => {
      const { ttl, retryFor } = shownIn(resource)[id] ?? assert.fail();
      const { expiresAt } = queuePolicyFor(operation, 0);
      assert.equal(ttl, Number.isFinite(expiresAt) ? expiresAt / 1000 : 0);
      const options = readDeliveryOptions({}, undefined, operation);
      assert.ok(!(options instanceof PropertyFinding));
      assert.equal(retryFor * 1000, options.retryForMs);
    });
  }

  it('has its rows once, in the page of the plugin, each with its words', () => {
    const page = read('dist', 'nodes', 'algo-forms.html');
    const texts = wordsOfNode('en-US', 'door');
    const rows = [...page.matchAll(/data-row="(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual(rows, ['split', 'ttl', 'retryFor', 'endAfter', 'rolling', 'maxFailures', 'duringAlert']);
    const keys = [...page.matchAll(/data-words="([\w.]+)"/g)].map(([, key = '']) => key);
    assert.equal(keys.length, 14);
    for (const key of keys) assert.ok(texts.get(key), key);
    for (const name of rows) assert.ok(page.includes(`<label for="algo-delivery-${name}">`), name);
  });

  it('is in the help by the same data', () => {
    const help = (resource: string) => read('dist', 'nodes', 'locales', 'en-US', `${resource}.html`);
    const title = (id: string) => `*${wording(`door:operation.${id}.title`)}*`;
    const [lock, unlock] = [title('lock'), title('unlock')];
    // An operation more may stand between them.
    const [limited = ''] = wordingIn('help:delivery.limit', { seconds: 60 }).exec(help('door')) ?? [];
    for (const one of [unlock, title('munlock')]) assert.ok(limited.includes(one), limited);
    assert.match(help('door'), wordingIn('help:delivery.again', { seconds: 10, operations: lock }));
    assert.match(help('door'), wordingIn('help:delivery.endedBy', { operations: unlock, end: lock }));
    assert.match(help('strobe'), wordingIn('help:delivery.endsItself', { field: 'duration' }));
    for (const key of ['limit', 'again', 'endedBy', 'endsItself'])
      assert.doesNotMatch(help('settings'), wordingIn(`help:delivery.${key}`));
    assert.match(help('settings'), /^: Expires after \(s\) \(number\) : /m);
    for (const { resource } of everyGroup)
      assert.match(help(resource), /^: \*ttl\* \(number\) : /m, resource);
  });
});
