import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { listen } from '../../src/runtime/message/bus';
import { ask, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { SettingsDevice } from './settings-device';

const secret = 'Kq7/plain+value';
const environment = {
  ALGO_PLAIN: secret,
  ALGO_PROFILE: JSON.stringify({ 'dp.dest': secret, 'sip.proxy': secret }),
  ALGO_LIST: JSON.stringify([secret]),
  ALGO_LISTS: JSON.stringify({ 'dp.dest': [secret] }),
  ALGO_BROKEN: `{"dp.dest": ${secret}}`,
};

const json = (value: unknown) => ({ parametersType: 'json', parameters: value });
const row = (type: string, value: string) => ({
  parametersType: 'form',
  form: { 'dp.dest': { type, value }, 'audio.ring.vol': { type: 'str', value: '-6dB' } },
});

/** The ways in which a value of an environment variable is none of a profile. */
const ways: Readonly<Record<string, object>> = {
  'as JSON that cannot be read': json('${ALGO_BROKEN}'),
  'as a row of a number': row('num', '${ALGO_PLAIN}'),
  'as a row of a truth value': row('bool', '${ALGO_PLAIN}'),
  'as a row of JSON': row('json', '${ALGO_PLAIN}'),
  'as a list, which is no value': row('json', '${ALGO_LIST}'),
  'as the whole JSON, with a list': json('${ALGO_LISTS}'),
};

const operations = ['compare', 'apply', 'put', 'backup'];

describe('algo-settings: values from environment variables that cannot be read', () => {
  let hall: SettingsDevice;
  let outputs: unknown[];
  let end: () => void;

  const node = (operation: string, way: string): NodeConfig => ({
    ...{ id: `${operation} ${way}`, type: 'algo-settings', device: 'hall node', operation, ttl: '0' },
    ...{ reloadAfter: operation === 'apply', confirmWrite: operation === 'put', ...ways[way] },
  });

  before(async () => {
    Object.assign(process.env, environment);
    hall = new SettingsDevice('hall');
    await hall.open();
    await startFlow([
      hall.config(),
      ...operations.flatMap((operation) => Object.keys(ways).map((way) => node(operation, way))),
    ]);
    end = listen((receipt) => outputs.push(receipt));
  });

  after(async () => {
    end();
    await stopFlow();
    await hall.close();
    for (const name of Object.keys(environment)) delete process.env[name];
  });

  beforeEach(() => {
    outputs = [];
  });

  /** Where the package has said the secret: the text before it. */
  const whereSaid = () => {
    const text = said();
    const at = text.indexOf(secret);
    return at < 0 ? '' : text.slice(Math.max(0, at - 200), at);
  };

  /** Everything that the package has said; an error of Node-RED is a circle with its node. */
  const said = () => {
    const seen = new Set<unknown>();
    const lines = helper.log().args.map(([line]) => line);
    return JSON.stringify([outputs, lines], (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      if (seen.has(value)) return undefined;
      seen.add(value);
      return value instanceof Error ? { ...value, text: String(value) } : value;
    });
  };

  for (const operation of operations)
    for (const way of Object.keys(ways))
      it(`are in no output: ${operation}, ${way}`, async () => {
        const { sent, caught } = await ask(`${operation} ${way}`);
        outputs.push(sent, caught);
        assert.equal(caught.length, 1);
        assert.equal(whereSaid(), '');
      });
});
