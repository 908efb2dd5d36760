import { ConsoleEvents, consoleEventsSource } from './console-events';
import { debounceMsOf, edgeOf, fieldChoiceOf, inputOf, isInitialWanted, reportOf } from './properties';
import { RelayInput, relayInputSource } from './relay-input';
import { Status, statusSource } from './status';
import type { WatchKind } from './watch-node';

export const watchKinds = {
  status: {
    interval: 10,
    prepare: (properties) => ({
      source: statusSource,
      reporter: new Status({
        ...fieldChoiceOf(properties),
        report: reportOf(properties),
        initial: isInitialWanted(properties),
      }),
    }),
  },
  'relay-input': {
    interval: 1,
    prepare(properties) {
      const input = inputOf(properties);
      return {
        source: relayInputSource(input),
        reporter: new RelayInput({
          input,
          edge: edgeOf(properties),
          debounceMs: debounceMsOf(properties),
          initial: isInitialWanted(properties),
        }),
      };
    },
  },
  'console-events': {
    interval: 1,
    prepare: (properties) => ({
      source: consoleEventsSource,
      reporter: new ConsoleEvents({ initial: isInitialWanted(properties) }),
    }),
  },
} satisfies Readonly<Record<string, WatchKind>>;
