import type { NodeStatus } from 'node-red';
import type { DeviceError } from '../../client/errors';
import { reasonWords, type Translate } from '../message/status';
import type { WatchState } from './watch';

type Look = Pick<NodeStatus, 'fill' | 'shape'>;

const defaultLook: Look = { fill: 'green', shape: 'dot' };

/**
 * The looks of statuses other than the default. An active input, such as a fire contact, must look different
 * from an idle input.
 */
const looks: Readonly<Record<string, Look>> = {
  'state.active': { fill: 'red', shape: 'dot' },
  'state.disabled': { fill: 'grey', shape: 'dot' },
  'state.unknown': { fill: 'yellow', shape: 'dot' },
};

export function pausedStatus(translate: Translate): NodeStatus {
  return { fill: 'grey', shape: 'ring', text: translate('state.paused') };
}

/** Returns the status of a node that watches one device. */
export function statusOf(translate: Translate, state: WatchState): NodeStatus {
  const reason = (error: DeviceError) => reasonWords(translate, error);
  switch (state.state) {
    case 'watching':
      return 'key' in state.words
        ? { ...(looks[state.words.key] ?? defaultLook), text: translate(state.words.key) }
        : { ...defaultLook, text: state.words.text };
    case 'missing': {
      const text = translate('state.missing', { missed: `${state.missed}/${state.misses}` });
      return { fill: 'yellow', shape: 'ring', text };
    }
    case 'paused':
      return pausedStatus(translate);
    case 'offline': {
      const text = translate('state.offline', { reason: reason(state.error) });
      return { fill: 'red', shape: 'ring', text };
    }
    case 'unsupported':
      return { fill: 'red', shape: 'ring', text: reason(state.error) };
  }
}

/** Numbers of members of a group. Those that are not read yet are neither reachable nor offline. */
export interface Reach {
  readonly reachable: number;
  readonly total: number;
  /** Number of offline members and members with an error. */
  readonly offline: number;
}

/**
 * Returns the status of a node that watches a group, including the number of online members, since not every user can
 * tell colors apart.
 */
export function statusOfGroup(translate: Translate, { reachable, total, offline }: Reach): NodeStatus {
  const text = translate('state.reachable', { reachable: String(reachable), total: String(total) });
  if (reachable === total) return { fill: 'green', shape: 'dot', text };
  if (offline === total) return { fill: 'red', shape: 'ring', text };
  return { fill: offline > 0 ? 'yellow' : 'grey', shape: 'ring', text };
}
