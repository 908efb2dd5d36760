import assert from 'node:assert/strict';
import { about, boot, Clock, clearIn, deviceAction, kept } from './engine-parts';

describe('an alert that is on at a device', () => {
  for (const [what, after] of [
    ['that two devices have swapped', { one: 'http://two', two: 'http://one', three: 'http://three' }],
    ['that the next device had', { one: 'http://two', two: 'http://three', three: 'http://four' }],
    ['in a circle', { one: 'http://two', two: 'http://three', three: 'http://one' }],
    ['that the one before had', { three: 'http://two', two: 'http://one', one: 'http://zero' }],
  ] as const) {
    it(`keeps its own start and its own end where devices go to addresses ${what}`, () => {
      const engine = boot(new Clock());
      const devices = (['one', 'two', 'three'] as const).map((id) => ({
        id,
        name: id,
        where: `http://${id}`,
      }));
      for (const device of devices) {
        for (const { ticket } of engine.start({ ...about, id: `alert ${device.id}` }, [
          { ...deviceAction, device },
        ]))
          if (ticket) engine.answered(ticket, 'taken');
      }
      engine.relocate((id) => after[id as keyof typeof after]);
      const later = boot(new Clock(), kept(engine));
      for (const one of [engine, later]) {
        for (const { id } of devices) {
          assert.deepEqual(one.state(`alert ${id}`)?.active, [id]);
          const ends = clearIn(one, `alert ${id}`);
          assert.deepEqual(
            ends.map(({ kind, device, output }) => [kind, device.id, output.device.where]),
            [['end', id, after[id]]],
          );
          for (const end of ends) one.answered(end, 'taken');
        }
      }
    });
  }

  it('is wanted there by the name that began it from then on, also after a crash', () => {
    const engine = boot(new Clock());
    const named = (id: string) => ({ ...deviceAction, device: { id, name: id, where: 'http://one' } });
    for (const { ticket } of engine.start(about, [named('first')]))
      if (ticket) engine.answered(ticket, 'taken');
    // Started again by another name of the same device, and nothing came of it.
    for (const { ticket } of engine.start(about, [named('second')]))
      if (ticket) engine.answered(ticket, 'missed');
    engine.relocate((id) => (id === 'second' ? 'http://two' : 'http://one'));
    const later = boot(new Clock(), kept(engine));
    const other = { ...about, id: 'b', name: 'B', priority: 9 };
    for (const { ticket } of later.start(other, [named('third')]))
      if (ticket) later.answered(ticket, 'taken');
    later.relocate((id) => (id === 'second' ? 'http://two' : 'http://one'));
    assert.deepEqual(
      clearIn(later, 'b').map(({ kind, alert, output }) => [kind, alert, output.device.where]),
      [['return', 'a', 'http://one']],
    );
  });
});
