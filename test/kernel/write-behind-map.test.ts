import assert from 'node:assert/strict';
import { number, open } from '../../src/kernel/shape';
import { WriteBehindMap } from '../../src/kernel/write-behind-map';
import { MemoryJournal } from './memory-journal';

const shape = open({ at: number() });

class Counter {
  constructor(
    readonly key: string,
    public at: number,
  ) {}
}

const counterOf = ({ at }: { readonly at: number }, key: string) => new Counter(key, at);

describe('the map whose changes are stored together', () => {
  const journal = new MemoryJournal([
    ['seen/gone', { at: 0 }],
    ['seen/odd', { at: 'noon' }],
    ['other/z', { at: 1 }],
  ]);

  it('has what the journal has in its shape, and no change yet', () => {
    const map = new WriteBehindMap(journal, 'seen/', shape);
    assert.deepEqual([[...map], map.takeChanges()], [[['gone', { at: 0 }]], []]);
  });

  it('tells each changed entry once, as it is then', () => {
    const map = new WriteBehindMap(journal, 'seen/', shape);
    for (const at of [1, 2]) map.set('x', { at });
    assert.deepEqual([map.delete('gone'), map.delete('gone'), map.delete('never')], [true, false, false]);
    map.set('y', { at: 3 });
    map.set('z', { at: 4 });
    map.delete('z');
    assert.deepEqual(map.takeChanges(), [
      ['seen/x', { at: 2 }],
      ['seen/gone', undefined],
      ['seen/y', { at: 3 }],
      ['seen/z', undefined],
    ]);
    assert.deepEqual(map.takeChanges(), []);
  });

  it('has objects of a class, as they are when they are taken', () => {
    const map = new WriteBehindMap(journal, 'seen/', shape, counterOf);
    const counter = map.get('gone');
    assert.deepEqual(counter, new Counter('gone', 0));
    map.set('x', new Counter('x', 1));
    const x = map.get('x');
    if (x) x.at = 2;
    assert.deepEqual(map.takeChanges(), [['seen/x', new Counter('x', 2)]]);
  });
});
