import { wireRequestOf } from '../../client/request';
import type { ActionHooks } from './hooks';

/** Sends what the message says instead of an operation's route, signed all the same. */
export function freeRequests(): ActionHooks {
  return {
    send({ parameters }, turn, options) {
      return turn.send(wireRequestOf(parameters), options);
    },
  };
}
