import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleFile, exampleFiles, titleOf } from '../fixtures/examples';
import { type NodeConfig, stopFlow } from '../fixtures/flow';
import { ownNodes, read } from '../fixtures/package';
import { requestsOf, scenarios } from './scenarios';
import { deploy, type Stage } from './stage';

/** Those of the watching nodes, which nobody needs to press: watch-examples.test.ts. */
const watching = ['A console emergency switches every display', 'Tell me when a speaker goes missing'];

/** Those that need a broker: test/broker. */
const overBroker = [
  "A machine's alarm, announced until someone acknowledges it",
  'Home Assistant by MQTT',
  'Lockdown at another site, over a broker',
];

/** Those that are called over HTTP: test/webhook. */
const overHttp = [
  'A bell that asks Node-RED first',
  "A console's button rings every speaker",
  'Lockdown by an e-mail or a chat message with a token',
  'Metrics for Prometheus',
  'The device reports in every five minutes',
  'Trigger an alert from any system by HTTP, with a token',
];

/** Those with a page: test/browser. The one that mails has the same page. */
const onPages = [
  'Drill on the first Monday, with a report for the inspector',
  'Mail the report of an alert',
  "Operator's page - lockdown and all-clear",
];

/** The one that asks a speech server: test/announce. */
const spoken = ['Say the text of a ticket in the workshop'];

/** The examples that other tests try. */
const elsewhere = [...watching, ...overBroker, ...overHttp, ...onPages, ...spoken];

/** What is tried of an example without a scenario: nothing fails, whatever is pressed, and a device does something. */
async function pressEverything(title: string, { press, behind }: Stage): Promise<void> {
  const file = exampleFile(title);
  const named = (type: string) =>
    read<NodeConfig[]>(file).flatMap((node) => (node.type === type ? [String(node.name)] : []));
  for (const button of named('inject')) await press(button);
  const devices = await Promise.all(named('algo-device').map(behind));
  assert.ok(devices.flatMap(requestsOf).length > 0, 'no device did anything');
}

describe('the examples, deployed', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-examples-'));
  });

  afterEach(async () => {
    await stopFlow();
    // The journal might still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  const titles = exampleFiles.map(titleOf);

  it('are what is tried here and beside', () => {
    assert.ok(titles.length > 35);
    assert.deepEqual(
      [...Object.keys(scenarios), ...elsewhere].filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('show every node but the configuration ones', () => {
    const types: string[] = [];
    const nodes = { registerType: (type: string) => types.push(type) };
    const registry = { nodes, events: new EventEmitter(), settings: {} };
    for (const node of ownNodes()) node(registry as unknown as Parameters<typeof node>[0]);
    const shown = new Set(exampleFiles.flatMap((file) => read<NodeConfig[]>(file)).map(({ type }) => type));
    const configuration = ['algo-device', 'algo-virtual-device', 'algo-group'];
    const missing = types.filter((type) => !shown.has(type) && !configuration.includes(type));
    assert.ok(types.includes('algo-door') && types.length > configuration.length);
    assert.deepEqual(missing, []);
  });

  for (const title of titles.filter((one) => !elsewhere.includes(one))) {
    const scenario = scenarios[title];
    it(title, async () => {
      const stage = await deploy(exampleFile(title), folder);
      if (scenario) await scenario(stage);
      else await pressEverything(title, stage);
    });
  }
});
