import assert from 'node:assert/strict';
import type { AlertNews } from '../../src/runtime/alert/events';
import type { AlertReport } from '../../src/runtime/alert/reports';
import { action, alertNode, alertOf, eachWithPlace, eventsBy, type Place } from '../fixtures/alert-node';
import type { NodeConfig } from '../fixtures/flow';
import { caughtOf, receiptsOf } from '../fixtures/site';
import { wording } from '../fixtures/wording';

describe('algo-alert: report', () => {
  let { site, wall, door } = {} as Place;
  // An alert that is on would be cleared in the next test, whose devices have the same names.
  const alerts: NodeConfig[] = [];
  afterEach(async () => {
    wall.behavior = () => 200;
    for (const { id, name } of alerts.splice(0)) {
      const way = await site.ask(id, { operation: 'clear' });
      if (alertOf(way).state !== 'idle')
        await site.until('it is over', () => eventsBy(site, name).at(-1) === 'cleared');
    }
  });
  const begin = eachWithPlace((place) => {
    ({ site, wall, door } = place);
  });
  const flow = (...nodes: NodeConfig[]) => {
    alerts.push(...nodes.filter(({ type }) => type === 'algo-alert'));
    return begin(...nodes);
  };
  const lockdown = [action('strobe/start'), action('screen/text-start'), action('relay/enable')];
  const all = { device: ['Wall', 'Door', 'Nobody'] };
  const reportsOf = async (id: string) =>
    (await site.ask(id, { operation: 'report' })).sent[0]?.payload as readonly AlertReport[];
  const clearedNews = async (topic: unknown, times = 1) => {
    const events = () =>
      site.inbox('states').flatMap(({ topic: of, payload }) => {
        const news = payload as AlertNews;
        return of === topic && news.event === 'cleared' ? [news] : [];
      });
    await site.until('it is over', () => events().length >= times);
    return events();
  };

  it('tells whom a drill reached, while it is on and when it is over', async () => {
    const alert = alertNode(lockdown, { priority: 7 });
    await flow(alert);
    wall.behavior = ({ operationName }) => (operationName === 'screen-text/start' ? 503 : 200);
    await site.ask(alert.id, { ...all, by: 'Ms Lee', drill: true });
    await site.ask(alert.id, { operation: 'acknowledge', by: 'Mr Rao', answer: 'safe' });
    await site.ask(alert.id, { device: 'Door', by: 'Ms Ito', drill: true });
    const way = await site.ask(alert.id, { operation: 'report' });
    assert.deepEqual([receiptsOf(way), caughtOf(way)], [[], []]);
    const [open, ...none] = (way.sent[0]?.payload ?? []) as readonly AlertReport[];
    assert.deepEqual(none, []);
    const { startedAt, acknowledged, missed, firstMs, lastMs, ...rest } = open as AlertReport;
    assert.deepEqual(rest, {
      ...{ name: alert.name, drill: true, priority: 7, startedBy: 'Ms Lee' },
      ...{
        clearedAt: null,
        clearedBy: null,
        clearMs: null,
        targets: 3,
        reached: 1,
        held: 0,
        dryRun: 0,
        updates: 1,
      },
    });
    assert.equal(new Date(startedAt).toISOString(), startedAt);
    assert.deepEqual(
      acknowledged.map(({ by, answer }) => [by, answer]),
      [['Mr Rao', 'safe']],
    );
    assert.deepEqual(
      missed.map(({ device, operation, outcome, code }) => [device, operation, outcome, code]),
      [
        ['Wall', 'screen/text-start', 'failed', 'REFUSED'],
        ...lockdown.map(({ operation }) => ['Nobody', operation, 'failed', 'NOT_CONFIGURED']),
      ],
    );
    assert.match(String(missed[0]?.message), /: screen\/text-start.*Wall/);
    assert.equal(missed[0]?.reason, wording('reasons:refuses'));
    for (const { reason, message } of missed) assert.ok(message?.startsWith(String(reason)), String(message));
    assert.ok(firstMs !== null && lastMs !== null && firstMs <= lastMs);
    await site.ask(alert.id, { operation: 'clear', by: 'Dr Eze' });
    const [news] = await clearedNews(alert.name);
    const { clearedAt, clearedBy, clearMs, ...closed } = (news?.report ?? {}) as AlertReport;
    assert.deepEqual([clearedBy, Number.isFinite(clearMs), news?.state], ['Dr Eze', true, 'idle']);
    assert.ok(String(clearedAt) >= startedAt);
    assert.deepEqual({ ...closed, clearedAt: null, clearedBy: null, clearMs: null }, open);
    assert.deepEqual(await reportsOf(alert.id), [news?.report]);
  });

  it('counts the last receipt of each action: a device that comes back is reached', async () => {
    const alert = alertNode([action('strobe/start')], { retryAlert: true });
    await flow(alert);
    wall.behavior = () => 503;
    await site.ask(alert.id, { device: 'Wall' });
    const [before] = await reportsOf(alert.id);
    assert.deepEqual([before?.reached, before?.missed.length], [0, 1]);
    wall.behavior = () => 200;
    await site.until('it was reached', () => eventsBy(site, alert.name).includes('reached'));
    const [after] = await reportsOf(alert.id);
    // Retries do not count for the times.
    assert.deepEqual([after?.reached, after?.missed, after?.firstMs, after?.lastMs], [1, [], null, null]);
  });

  it('counts a target as held where another alert holds back all that it supports', async () => {
    const flash = [action('strobe/start'), action('relay/enable')];
    const [high, low] = [alertNode(flash, { priority: 9 }), alertNode(flash, { priority: 1 })];
    await flow(high, low);
    await site.ask(high.id, { device: 'Wall' });
    await site.ask(low.id, { device: ['Wall', 'Door'] });
    const [held] = await reportsOf(low.id);
    assert.deepEqual([held?.targets, held?.reached, held?.held, held?.missed], [2, 1, 1, []]);
    await site.ask(high.id, { operation: 'clear' });
    const [back] = await reportsOf(low.id);
    assert.deepEqual([back?.targets, back?.reached, back?.held], [2, 2, 0]);
  });

  it('counts a dry run by itself, neither as reached nor as missed', async () => {
    const alert = alertNode([action('strobe/start')], { target: 'msg' });
    await flow(alert, wall.config({ id: 'dry', name: 'Dry', address: 'http://127.0.0.1:1', dryRun: true }));
    await site.ask(alert.id, { device: 'Dry' });
    const [report] = await reportsOf(alert.id);
    const { reached, dryRun, missed, firstMs } = report ?? {};
    assert.deepEqual([reached, dryRun, missed, firstMs], [0, 1, [], null]);
  });

  it('is closed by a start while the alert is clearing, without the time of the clear', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall', by: 'Ms Lee' });
    wall.behavior = ({ operationName }) => (operationName.endsWith('/stop') ? 503 : 200);
    await site.ask(alert.id, { operation: 'clear', by: 'Ms Ito' });
    const [clearing] = await reportsOf(alert.id);
    assert.deepEqual([clearing?.clearedAt, clearing?.clearedBy], [null, 'Ms Ito']);
    await site.ask(alert.id, { device: 'Wall', by: 'Dr Eze' });
    const [open, old] = await reportsOf(alert.id);
    assert.deepEqual([open?.startedBy, open?.clearedAt, open?.updates], ['Dr Eze', null, 0]);
    assert.deepEqual([old?.startedBy, old?.clearedBy, old?.clearMs], ['Ms Lee', 'Ms Ito', null]);
    assert.ok(old?.clearedAt);
  });

  it('of a start that was refused everywhere is closed, with nobody reached', async () => {
    const wrong = { operation: 'strobe/start', form: { ledlvl: { type: 'msg', value: 'level' } } };
    const alert = alertNode([wrong]);
    await flow(alert);
    const way = await site.ask(alert.id, { device: ['Wall', 'Door'], level: 'high', by: 'Ms Lee' });
    assert.deepEqual([caughtOf(way), eventsBy(site, alert.name)], [['INVALID_PARAMETER'], []]);
    const [report, ...more] = await reportsOf(alert.id);
    const { targets, reached, held, missed, startedBy, clearedAt, clearMs } = report as AlertReport;
    assert.deepEqual([targets, reached, held, startedBy, clearMs, more], [2, 0, 0, 'Ms Lee', null, []]);
    assert.deepEqual(
      missed.map(({ device, code }) => [device, code]),
      [
        ['Wall', 'INVALID_PARAMETER'],
        ['Door', 'INVALID_PARAMETER'],
      ],
    );
    assert.ok(clearedAt);
  });

  it('stays open until the clear where no target supports an action: the alert is on, with no device', async () => {
    const alert = alertNode([action('door/unlock')]);
    await flow(alert);
    const way = await site.ask(alert.id, { device: 'Wall' });
    assert.deepEqual(caughtOf(way), ['NOT_SUPPORTED']);
    const { state, active, failed } = alertOf(await site.ask(alert.id, { operation: 'state' }));
    assert.deepEqual([state, active, failed], ['active', [], []]);
    const numbers = ({ targets, reached, missed, clearedAt }: AlertReport) => [
      ...[targets, reached, missed.length, clearedAt === null],
    ];
    assert.deepEqual((await reportsOf(alert.id)).map(numbers), [[1, 0, 0, true]]);
    await site.ask(alert.id, { operation: 'clear' });
    assert.deepEqual((await reportsOf(alert.id)).map(numbers), [[1, 0, 0, false]]);
  });

  it('counts a drill of an alert that is on in earnest nowhere', async () => {
    const alert = alertNode([action('strobe/start')]);
    await flow(alert);
    await site.ask(alert.id, { device: 'Wall' });
    await site.ask(alert.id, { device: ['Wall', 'Door'], drill: true });
    const [report] = await reportsOf(alert.id);
    assert.deepEqual([report?.targets, report?.updates, report?.drill, report?.reached], [1, 0, false, 1]);
  });

  it('is there for the last 20 alerts, newest first, the open one before all others', async () => {
    const alert = alertNode([action('relay/enable')]);
    await flow(alert);
    for (let count = 1; count <= 22; count += 1) {
      await site.ask(alert.id, { device: 'Door', by: `Person ${count}` });
      if (count < 22) await site.ask(alert.id, { operation: 'clear' });
    }
    const reports = await reportsOf(alert.id);
    assert.deepEqual(
      reports.map(({ startedBy }) => startedBy),
      Array.from({ length: 20 }, (_, index) => `Person ${22 - index}`),
    );
    assert.deepEqual(
      reports.map(({ clearedAt }) => clearedAt === null),
      [true, ...Array(19).fill(false)],
    );
    assert.ok(door.operationNames.length > 40);
  });

  it('is a copy: what a flow does to it changes no other', async () => {
    const alert = alertNode([action('relay/enable')]);
    await flow(alert);
    await site.ask(alert.id, { device: ['Door', 'Nobody'] });
    for (const _ of [1, 2]) {
      const [report] = (await reportsOf(alert.id)) as unknown as [{ missed: unknown[]; name: string }];
      assert.deepEqual([report.name, report.missed.length], [alert.name, 1]);
      report.missed.length = 0;
      report.name = 'changed';
    }
  });
});
