import { deepStrictEqual } from 'node:assert/strict';
import { statusOf } from '../../src/runtime/supervision/supervision-node';
import { read } from '../fixtures/package';

const { status } = read<{ status: Record<string, string> }>('locales/en-US/supervision.json');

function translate(key: string, { count = '' }: Record<string, string> = {}): string {
  return String(status[key.slice('status.'.length)]).replace('__count__', count);
}

const none = { offline: 0, fault: 0, warning: 0, unknown: 0, masked: 0, ok: 0 };

describe('what stands under a supervision', () => {
  for (const [counts, fill, text] of [
    [{ ok: 58 }, 'green', '58 ok'],
    [{ ok: 56, warning: 2 }, 'yellow', '2 warnings'],
    [{ ok: 56, warning: 1, fault: 1 }, 'red', '1 fault'],
    [{ fault: 2 }, 'red', '2 faults'],
    [{ ok: 50, warning: 1, fault: 4, offline: 3 }, 'red', '3 offline'],
    [{ ok: 1, unknown: 7 }, 'grey', '7 not checked'],
    [{ ok: 57, masked: 1 }, 'green', '57 ok'],
    [{ masked: 3 }, 'grey', '3 masked'],
  ] as const) {
    it(`is "${text}"`, () => {
      const shown = statusOf(translate, { ...none, ...counts }) as { fill?: string; text?: string };
      deepStrictEqual([shown.fill, shown.text], [fill, text]);
    });
  }
});
