import assert from 'node:assert/strict';
import { statusOf } from '../../src/runtime/alert/alert-node';
import { read } from '../fixtures/package';

const { status } = read<{ status: Record<string, string> }>('locales/en-US/alert.json');

function translate(key: string, values: Record<string, string> = {}): string {
  const words = String(status[key.slice('status.'.length)]);
  return Object.entries(values).reduce((text, [name, value]) => text.replace(`__${name}__`, value), words);
}

describe('what stands under an alert', () => {
  const about = {
    ...{ name: 'Lockdown', priority: 5, drill: false, since: null, unknown: [], failed: [] },
    ...{ dryRun: 0, by: null, clearedBy: null, acknowledged: [] },
  };
  for (const [state, expected] of [
    [
      { state: 'idle', active: [], pending: [] },
      { fill: 'grey', shape: 'dot', text: 'idle' },
    ],
    [
      { state: 'active', active: ['a', 'b'], pending: [] },
      { fill: 'red', shape: 'dot', text: 'on 2/14' },
    ],
    [
      { state: 'active', active: [], pending: ['c'] },
      { fill: 'red', shape: 'dot', text: 'on 0/14' },
    ],
    [
      { state: 'clearing', active: [], pending: ['c', 'd'] },
      { fill: 'yellow', shape: 'ring', text: 'clearing 2' },
    ],
  ] as const) {
    it(`is "${expected.text}"`, () => {
      assert.deepEqual(statusOf(translate, { ...about, ...state }, 14), expected);
      const { text } = statusOf(translate, { ...about, ...state }, 14, false);
      assert.equal(text, `${expected.text}, not saved`);
    });
  }
});
