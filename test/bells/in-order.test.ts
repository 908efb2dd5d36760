import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { School } from './school';

const bell = (index: number) => ({
  name: `Bell ${index}`,
  time: `${String(8 + (index % 12)).padStart(2, '0')}:00`,
  days: 'mon-fri',
  audio: 'bell-na.wav',
  from: '2030-09-02',
  except: [{ start: '2030-10-14', end: '2030-10-25' }],
});

describe('two lists of bells, one right after the other', () => {
  let school: School;

  beforeEach(async () => {
    school = await School.open();
  });
  afterEach(() => school.close());

  it('leave the second one at the device, however long the first one takes to be read', async () => {
    const long = Array.from({ length: 2_000 }, (_, index) => bell(index));
    const short = [bell(1)];
    const ends = [helper.getNode('completed'), helper.getNode('caught')];
    const ended = [1, 2].reduce(
      (before) => before.then(() => Promise.race(ends.map((node) => once(node, 'input')))),
      Promise.resolve<unknown>(undefined),
    );
    for (const bells of [long, short]) {
      const message = { operation: 'sync', payload: { tag: 'school', bells } };
      helper.getNode('scheduler').receive(message as unknown as NodeMessage);
    }
    await ended;
    const { events } = await school.answer('get');
    assert.deepEqual(
      (events as { name: string }[]).map(({ name }) => name),
      ['Bell 1'],
    );
  });
});
