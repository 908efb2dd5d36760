import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import helper from 'node-red-node-test-helper';
import { alertNamed } from '../../src/runtime/alert/named-alert';
import { journalOf } from '../../src/runtime/journal/shared-journal';
import type { Receipt } from '../../src/runtime/message/receipt';
import {
  action,
  alertNode,
  alertOf,
  eachWithPlace,
  type Place,
  short,
  shown,
  states,
} from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { caughtOf, receiptLog, receiptsOf } from '../fixtures/site';

describe('algo-alert and deploys', () => {
  let { site, wall, door } = {} as Place;
  const flow = eachWithPlace((output) => {
    ({ site, wall, door } = output);
  });
  const nodes = (...more: object[]) => [door.config(), states, ...receiptLog(), ...more] as NodeConfig[];
  const toWall = { target: 'device', device: 'wall' };
  /** What Node-RED has said in its log, of the messages that have this in them. */
  const orphaned = 'its node no longer exists';
  const logged = (words: string) =>
    helper
      .log()
      .args.map(([entry]) => String(entry.msg))
      .filter((line) => line.includes(words));

  /** What the log of receipts has of a node. */
  const receiptsIn = (id: string) =>
    site
      .inbox('log')
      .map(({ payload }) => payload as Receipt & { nodeId: string })
      .filter(({ nodeId }) => nodeId === id)
      .map(({ operation, outcome }) => `${operation} ${outcome}`);

  it('shows what is so before any message comes', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    await flow(alert);
    await shown(alert.id, 'status.idle');
    await site.ask(alert.id);
    await site.redeploy(nodes(wall.config(), { ...alert, priority: 6 }));
    await shown(alert.id, 'status.on');
    await site.ask(alert.id, { operation: 'clear' });
  });

  for (const operation of ['start', 'clear']) {
    it(`ends a ${operation} that is under way, says so, and still has it to clear`, async () => {
      const alert = alertNode([action('strobe/start')], toWall);
      await flow(alert);
      if (operation === 'clear') await site.ask(alert.id);
      wall.behavior = () => 'hold';
      const way = site.send(alert.id, { operation });
      await site.until('it is under way', () => wall.held.length > 0);
      const operationNames = wall.operationNames.length;
      await site.redeploy(nodes(wall.config(), { ...alert, priority: 6 }));
      // No Complete node hears of what a node that is closed is done with.
      await site.until('the message has left', () => way.sent.length + way.caught.length > 0);
      assert.deepEqual(
        receiptsOf(way).map(({ outcome, error }) => `${outcome} ${error?.code}`),
        ['unknown ABORTED'],
      );
      assert.deepEqual(caughtOf(way), operation === 'start' ? ['ABORTED'] : []);
      assert.deepEqual(logged('Close timed out'), []);
      const { state, unknown, pending } = alertOf(await site.ask(alert.id, { operation: 'state' }));
      assert.deepEqual(
        [state, unknown, pending],
        operation === 'start' ? ['active', ['Wall'], []] : ['clearing', [], ['Wall']],
      );
      wall.releaseAll();
      const cleared = receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short);
      // On a busy machine, the stop that was still to be sent has been sent again before this clear.
      if (operation === 'start' || cleared.length > 0)
        assert.deepEqual(cleared, ['Wall strobe/stop accepted']);
      await site.until('it has stopped', () => wall.operationNames.length > operationNames);
      assert.deepEqual(wall.operationNames.slice(operationNames), ['strobe/stop']);
    });
  }

  it('does not try a job again that it has aborted, since another one of the site may do it', async () => {
    const alert = alertNode([action('strobe/start')], { ...toWall, retryAlert: true });
    await flow(alert);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const admission = () => {
      asked();
      return new Promise<void>(() => {});
    };
    const started = alertNamed(String(alert.name)).start({}, { admission });
    await isAsked;
    await site.redeploy(nodes(wall.config(), { ...alert, priority: 6 }));
    assert.equal((await started).error?.code, 'ABORTED');
    const { state, failed } = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([state, failed, wall.operationNames], ['active', [], []]);
    await site.ask(alert.id, { operation: 'clear' });
  });

  it('waits for a start that the disk keeps waiting, and sends nothing of it any more', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    let RED: NodeAPI | undefined;
    const capture = (api: NodeAPI) => {
      RED = api;
    };
    await site.start(nodes(wall.config(), alert), {}, [capture]);
    assert.ok(RED);
    const journal = journalOf(RED);
    const batch = journal.batch.bind(journal);
    let write = () => {};
    const disk = new Promise<void>((resolve) => {
      write = resolve;
    });
    journal.batch = async (change) => {
      void batch(change);
      await disk;
    };
    const way = site.send(alert.id);
    while (alertNamed(String(alert.name)).state().state !== 'active')
      await new Promise((resolve) => setImmediate(resolve));
    const deploying = site.redeploy(nodes(wall.config(), { ...alert, priority: 6 }));
    let isOver = false;
    const over = deploying.then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const wasOver = isOver;
    journal.batch = batch;
    write();
    await over;
    assert.deepEqual([wasOver, caughtOf(way), wall.operationNames], [false, ['ABORTED'], []]);
    await site.ask(alert.id, { operation: 'clear' });
  });

  for (const [what, after] of [
    ['deletes', () => []],
    ['disables', (alert: object) => [{ ...alert, d: true }]],
  ] as const) {
    it(`is cleared by one that ${what} its node, and the log says so`, async () => {
      const alert = alertNode([action('strobe/start')], { ...toWall, name: `It ${what}` });
      await flow(alert);
      await site.ask(alert.id);
      await site.redeploy(nodes(wall.config(), ...after(alert)));
      await site.until('it is ended', () => wall.operationNames.at(-1) === 'strobe/stop');
      const [line, ...others] = logged(`[algo-alert:It ${what}]`);
      assert.ok(line?.includes(orphaned), line);
      assert.deepEqual(others, []);
    });
  }

  it('is not said to be cleared by one that deletes its node while it is being cleared', async () => {
    const alert = alertNode([action('strobe/start')], { ...toWall, name: 'It clears' });
    await flow(alert);
    await site.ask(alert.id);
    wall.behavior = () => 503;
    await site.ask(alert.id, { operation: 'clear' });
    await site.redeploy(nodes(wall.config()));
    wall.behavior = () => 200;
    await site.until('it is ended', () => receiptsIn(alert.id).at(-1) === 'strobe/stop accepted');
    assert.deepEqual(
      logged('It clears').filter((line) => line.includes(orphaned)),
      [],
    );
  });

  it('sends no stop for a start of a dry run', async () => {
    const alert = alertNode([action('strobe/start')], toWall);
    await site.start(nodes(wall.config({ dryRun: true }), alert));
    await site.ask(alert.id);
    await site.redeploy(nodes(wall.config(), alert));
    assert.deepEqual(receiptsOf(await site.ask(alert.id, { operation: 'clear' })).map(short), [
      'Wall strobe/stop dry-run',
    ]);
    assert.deepEqual(wall.operationNames, []);
  });
});
