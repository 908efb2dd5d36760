import { ClientFixture } from '../fixtures/client-fixture';
import { countOf, firstSeed, type Histories, tryHistory } from '../fixtures/histories';
import { Author, chance, type Event, eventsOf, historyOf } from '../fixtures/history';
import { Performance } from './performance';

const atATime = 5;

describe('order at one device: random histories over real sockets', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  const histories: Histories<Event> = {
    file: __filename,
    setting: 'ALGO_REAL_HISTORIES',
    defaultCount: 200,
    draw: (seed) => eventsOf(new Author(chance(seed), 3_000).history()),
    play: (_seed, events, log) => new Performance(historyOf(events), log).run(fixture),
  };
  const count = countOf(histories);

  it(`holds in ${count} histories from ALGO_SEED=${firstSeed} on`, async () => {
    for (let done = 0; done < count; done += atATime) {
      const seeds = Array.from(
        { length: Math.min(atATime, count - done) },
        (_, index) => firstSeed + done + index,
      );
      await Promise.all(seeds.map((seed) => tryHistory(histories, seed)));
      await fixture.clear();
    }
  });
});
