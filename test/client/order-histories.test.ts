import { itHolds } from '../fixtures/histories';
import { Author, chance, type Event, eventsOf, historyOf, maxNames } from '../fixtures/history';
import { HistoryPlayer } from './history-player';

for (const names of [1, maxNames]) {
  describe(`order at one device with ${names} names: random histories against a model`, () => {
    itHolds<Event>({
      file: __filename,
      defaultCount: 10_000,
      // They cost little, and few of them find a mistake in the order of stops.
      share: 2,
      known: [63907205],
      draw: (seed) => eventsOf(new Author(chance(seed), undefined, names).history()),
      play: (_seed, events, log) => new HistoryPlayer(historyOf(events), log).run(),
    });
  });
}
