import type { NodeAPI } from 'node-red';
import { fieldChoiceOf, isInitialWanted, reportOf } from '../src/runtime/watch/properties';
import { Status, statusSource } from '../src/runtime/watch/status';
import { registerWatchNode } from '../src/runtime/watch/watch-node';

export = (RED: NodeAPI): void =>
  registerWatchNode(RED, {
    noun: 'status',
    interval: 10,
    prepare: (properties) => ({
      source: statusSource,
      reporter: new Status({
        ...fieldChoiceOf(properties),
        report: reportOf(properties),
        initial: isInitialWanted(properties),
      }),
    }),
  });
