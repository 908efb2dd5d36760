import type { NodeStatus } from 'node-red';
import { memoizeTranslate } from '../../catalogue/memoize-translate';
import { errorStatus, reasonWords, type Translate } from '../message/status';
import type { GroupState } from './group-watch';
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

export class StatusWords {
  private readonly translate: Translate;

  constructor(translate: Translate) {
    this.translate = memoizeTranslate(translate);
  }

  statusOf(state: WatchState): NodeStatus {
    const { translate } = this;
    switch (state.state) {
      case 'watching':
        return 'key' in state.words
          ? { ...(looks[state.words.key] ?? defaultLook), text: translate(state.words.key) }
          : { ...defaultLook, text: state.words.text };
      case 'missing':
        return {
          fill: 'yellow',
          shape: 'ring',
          text: translate('state.missing', { missed: `${state.missed}/${state.misses}` }),
        };
      case 'paused':
        return { fill: 'grey', shape: 'ring', text: translate('state.paused') };
      case 'offline': {
        return {
          fill: 'red',
          shape: 'ring',
          text: translate('state.offline', { reason: reasonWords(translate, state.error) }),
        };
      }
      case 'unsupported':
        return { fill: 'red', shape: 'ring', text: reasonWords(translate, state.error) };
    }
  }

  /**
   * Returns the status of a group, including the number of online members, since not every user can tell
   * colors apart.
   */
  statusOfGroup(state: GroupState): NodeStatus {
    const { translate } = this;
    if (state.state === 'paused') return this.statusOf(state);
    if (state.state === 'unusable') return errorStatus(translate, state.error);
    const { reachable, total, offline } = state;
    const text = translate('state.reachable', { reachable: String(reachable), total: String(total) });
    if (reachable === total) return { fill: 'green', shape: 'dot', text };
    if (offline === total) return { fill: 'red', shape: 'ring', text };
    return { fill: offline > 0 ? 'yellow' : 'grey', shape: 'ring', text };
  }
}

/** Returns a key for a state. States with equal keys have the same status under the node. */
export function shownBy(state: WatchState): string {
  switch (state.state) {
    case 'watching':
      return 'key' in state.words ? state.words.key : `text ${state.words.text}`;
    case 'missing':
      return `missing ${state.missed}`;
    case 'paused':
      return 'paused';
    default:
      return `${state.state} ${state.error.reason}`;
  }
}

export function shownByGroup(state: GroupState): string {
  if (state.state === 'unusable') return `unusable ${state.error.reason}`;
  return state.state === 'paused' ? 'paused' : `${state.reachable} ${state.total} ${state.offline}`;
}
