import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import helper from 'node-red-node-test-helper';
import { exampleFile } from '../fixtures/examples';
import { stopFlow, type TestMessage } from '../fixtures/flow';
import { deploy, type Stage } from '../nodes/stage';

const token = 'a token that nobody guesses';

/** Whether a receipt of an operation came with a message. */
const did =
  (operation: string) =>
  ({ receipts = [] }: TestMessage) =>
    receipts.some((receipt) => receipt.operation === operation);

function outcomes({ receipts = [] }: TestMessage): [string, string][] {
  return receipts.map(({ device, outcome }) => [device, outcome]);
}

describe('the examples of requests from devices, called over HTTP', () => {
  let folder: string;
  let stage: Stage;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-webhook-examples-'));
  });
  beforeEach(() => new Promise<void>((resolve) => void helper.startServer(() => resolve())));
  afterEach(async () => {
    await stopFlow();
    await new Promise<void>((resolve) => void helper.stopServer(() => resolve()));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const open = async (title: string, credentials = {}) => {
    const port = Number(new URL(helper.url()).port);
    stage = await deploy(exampleFile(title), folder, { port, credentials });
  };

  it("A console's button rings every speaker", async () => {
    await open("A console's button rings every speaker");
    const rooms = [1, 2, 3].map((room) => `Room ${room} speaker`);
    const speakers = await Promise.all(rooms.map(stage.behind));
    const rang = await stage.press('Press the button', did('tone/start'));
    const all = rooms.map((name) => [name, 'accepted']);
    assert.deepEqual(outcomes(rang), all);
    for (const { state } of speakers) assert.deepEqual(state.tone, { path: 'chime.wav', loop: true });
    assert.deepEqual(outcomes(await stage.press('Press stop', did('tone/stop'))), all);
    for (const { state } of speakers) assert.equal(state.tone, null);
  });

  it('A bell that asks Node-RED first', async () => {
    await open('A bell that asks Node-RED first');
    const bell = await stage.behind('School bells');
    await stage.press('Store the bell in the device');
    const [event] = (bell.schedules as { events: { api_call: { path: string }[] }[] }).events;
    assert.equal(event?.api_call[0]?.path, '/algo/bell');
    await stage.press('Ring it now', did('tone/start'));
    assert.deepEqual(bell.state.tone, { path: 'bell-na.wav', loop: false });
    await stage.press('No bells today');
    const asked = (message: TestMessage & { webhook?: unknown }) => message.webhook !== undefined;
    const silent = await stage.press('Ring it now', asked);
    assert.deepEqual([silent.payload, silent.receipts], [{ bell: 'first lesson' }, undefined]);
    await stage.press('Bells as usual');
    await stage.press('Ring it now', did('tone/start'));
  });

  it('Trigger an alert from any system by HTTP, with a token', async () => {
    const title = 'Trigger an alert from any system by HTTP, with a token';
    await open(title);
    const ask = async (what: string, given: string) => {
      const headers = { Authorization: `Bearer ${given}` };
      return (await fetch(`${helper.url()}/algo/alert/${what}`, { method: 'POST', headers })).status;
    };
    // As imported, there is no token yet.
    assert.equal(await ask('start', ''), 401);
    await stopFlow();
    await open(title, { 'alert-by-http-hook': { password: token } });
    const strobe = await stage.behind('Corridor strobe');
    assert.equal(await ask('start', 'another token'), 401);
    assert.equal(strobe.state.strobe, null);
    const started = stage.next(did('strobe/start'));
    assert.equal(await ask('start', token), 200);
    const reached = outcomes(await started).map(([, outcome]) => outcome);
    assert.deepEqual([...new Set(reached)].sort(), ['accepted', 'skipped']);
    assert.notEqual(strobe.state.strobe, null);
    const cleared = stage.next(did('strobe/stop'));
    assert.equal(await ask('clear', token), 200);
    await cleared;
    assert.equal(strobe.state.strobe, null);
  });

  it('Metrics for Prometheus', async () => {
    await open('Metrics for Prometheus');
    // The test helper serves no http in node, so a request is made up behind it.
    const headers: Record<string, unknown> = {};
    const text = await new Promise<string>((resolve) => {
      const answer = {
        set: (name: object | string, value: unknown) =>
          Object.assign(headers, typeof name === 'string' ? { [name]: value } : name),
        get: () => undefined,
        status: () => ({ send: resolve }),
      };
      helper.getNode('metrics-ask').receive({ res: { _res: answer } } as never);
    });
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(text, /^algo_device_up\{device="Gym speaker",address="[^"]*"\} [01]$/m);
    assert.match(text, /^algo_device_up\{device="Yard speaker",/m);
    const shown = await stage.press('Show the metrics');
    assert.match(String(shown.payload), /^# TYPE algo_receipts_total counter$/m);
  });

  it('The device reports in every five minutes', async () => {
    await open('The device reports in every five minutes');
    const bell = await stage.behind('School bells');
    await stage.press('Store the schedule in the device');
    // Whoever presses twice has each call once.
    await stage.press('Store the schedule in the device');
    const { events } = bell.schedules as {
      events: { start_time: string; api_call: { target: string }[] }[];
    };
    assert.equal(events.length, 288);
    const { port } = new URL(helper.url());
    assert.equal(events[0]?.api_call[0]?.target, `http://127.0.0.1:${port}`);
    assert.deepEqual([events[0]?.start_time, events[287]?.start_time], ['00:00:00', '23:55:00']);
    const reported = await stage.press('Report in now', ({ webhook }) => webhook !== undefined);
    assert.equal(reported.topic, 'School bells');
    const silent = await stage.press('Look at it now');
    assert.equal(silent.payload, 'School bells has not reported in. State: ok');
    await bell.pause();
    const gone = await stage.press('Look at it now');
    assert.match(String(gone.payload), /^School bells has not reported in\. State: offline, /);
  });
});
