import type { NodeAPI } from 'node-red';
import { ConsoleEvents, consoleEventsSource } from '../src/runtime/watch/console-events';
import { isInitialWanted } from '../src/runtime/watch/properties';
import { registerWatchNode } from '../src/runtime/watch/watch-node';

export = (RED: NodeAPI): void =>
  registerWatchNode(RED, {
    noun: 'console-events',
    interval: 1,
    prepare: (properties) => ({
      source: consoleEventsSource,
      reporter: new ConsoleEvents({ initial: isInitialWanted(properties) }),
    }),
  });
