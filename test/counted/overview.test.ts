import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import type { NodeAPI } from 'node-red';
import { answerWatch } from '../../src/runtime/admin/overview';
import type { OverviewNews } from '../../src/runtime/answers';
import { deviceById } from '../../src/runtime/device/registry';
import { ClientFixture } from '../fixtures/client-fixture';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { madeBy } from './counts';

const { events } = require(process.env.ALGO_NODE_RED || 'node-red') as { events: EventEmitter };
const topic = 'algo/overview';
const count = 100;

const speaker = {
  ...{ id: 'speaker', type: 'algo-device', name: 'Speaker', auth: 'none' },
  ...{ model: '8301', firmware: '5.7' },
};
const reading = {
  ...{ id: 'reading', type: 'algo-info', target: 'device', device: 'speaker', operation: 'tonelist' },
  form: {},
};

describe('what the sidebar costs messages, counted', () => {
  const fixture = new ClientFixture();
  let published: OverviewNews[];
  const note = (event: { topic: string; data: OverviewNews }) => {
    if (event.topic === topic) published.push(event.data);
  };

  beforeEach(async () => {
    published = [];
    events.on('comms', note);
    const tonelist = Array.from({ length: 500 }, (_, index) => `tone${index}.wav`);
    const address = await fixture.http((_seen, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ tonelist }));
    });
    await startFlow([{ ...speaker, address }, reading]);
    await ask('reading');
  });

  afterEach(async () => {
    events.off('comms', note);
    await stopFlow();
    await fixture.clear();
  });

  const askMany = async () => {
    for (let sent = 0; sent < count; sent += 1) await ask('reading');
  };

  it('is what a device keeps of its last message: no answer, and nothing of those before', async () => {
    const { status } = deviceById('speaker') ?? assert.fail();
    const before = status.revision;
    await askMany();
    assert.deepEqual(Object.keys(status.last ?? {}), ['operation', 'outcome', 'at']);
    assert.equal(status.lastError, undefined);
    // The end of its request, and its receipt.
    assert.equal(status.revision - before, 2 * count);
    assert.deepEqual(published, []);
  });

  it('is nothing that a message makes, and two words a second, for one that is open', async () => {
    const unseen = await madeBy(askMany);
    const RED = { events, log: { error: assert.fail }, settings: {} } as unknown as NodeAPI;
    const { lease } = await answerWatch(RED, {});
    events.emit(`comms:message:${topic}`, { session: 'editor', data: { lease } });
    const began = performance.now();
    const seen = await madeBy(askMany);
    const seconds = (performance.now() - began) / 1_000;
    events.emit(`comms:message:${topic}`, { session: 'editor', data: { lease, over: true } });
    assert.ok(
      published.length >= 1 && published.length <= 2 + 2 * seconds,
      `${published.length} in ${seconds} s`,
    );
    const rows = published.flatMap(({ changes }) => changes.filter(({ id }) => id === 'speaker'));
    assert.equal(rows[0]?.name, 'Speaker');
    for (const row of rows.slice(1)) assert.equal(row.name, undefined);
    // A timer for each look; no more than a tenth of what a hundred messages take.
    assert.ok(seen.promises <= unseen.promises * 1.1, `${unseen.promises} and ${seen.promises} promises`);
    assert.ok(seen.timers <= unseen.timers * 1.1, `${unseen.timers} and ${seen.timers} timers`);
    const { length } = published;
    await askMany();
    assert.equal(published.length, length);
  });
});
