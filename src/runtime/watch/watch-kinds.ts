import { ConsoleEvents, consoleEventsSource } from './console-events';
import { RelayInput, relayInputSource } from './relay-input';
import { Status, statusSource } from './status';
import type { WatchKind } from './watch-node';

export const watchKinds = {
  status: {
    interval: 10,
    prepare: ({ fields: watched, ignore: ignored, counters, report, initial }) => ({
      source: statusSource,
      reporter: new Status({ watched, ignored, counters, report, initial }),
    }),
  },
  'relay-input': {
    interval: 1,
    prepare: ({ input, edge, debounce: debounceMs, initial }) => ({
      source: relayInputSource(input),
      reporter: new RelayInput({ input, edge, debounceMs, initial }),
    }),
  },
  'console-events': {
    interval: 1,
    prepare: ({ initial }) => ({
      source: consoleEventsSource,
      reporter: new ConsoleEvents({ initial }),
    }),
  },
} satisfies Readonly<Record<string, WatchKind>>;
