import type { NodeAPI } from 'node-red';
import { debounceMsOf, edgeOf, inputOf, isInitialWanted } from '../src/runtime/watch/properties';
import { RelayInput, relayInputSource } from '../src/runtime/watch/relay-input';
import { registerWatchNode } from '../src/runtime/watch/watch-node';

export = (RED: NodeAPI): void =>
  registerWatchNode(RED, {
    noun: 'relay-input',
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
  });
