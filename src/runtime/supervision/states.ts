import type { NodeAPI } from 'node-red';
import { DurableMap } from '../../kernel/durable-map';
import type { SharedJournal } from '../../kernel/journal/journal';
import { journalOf } from '../journal/shared-journal';
import { PerNodeRed } from '../per-node-red';
import { type PersistedDevice, persistedDevice } from './finding';

/** The keys of the journal are this prefix, the id of the node, a slash, and the id of the device. */
const keyPrefix = 'supervision/';

const states = new PerNodeRed((RED) => new SupervisionStates(RED, journalOf(RED)));

export function statesOf(RED: NodeAPI): SupervisionStates {
  return states.of(RED);
}

export function knownStates(RED: NodeAPI): SupervisionStates | undefined {
  return states.existing(RED);
}

/** The states of the supervised devices of each node, by the id of the device. They survive deploys and restarts. */
export class SupervisionStates {
  readonly #ofNodes = new Map<string, DurableMap<PersistedDevice>>();

  constructor(
    RED: Pick<NodeAPI, 'events'>,
    private readonly journal: SharedJournal,
  ) {
    RED.events.once('flows:started', () => this.#forgetLost());
  }

  /** @param initial whether the first result of each device after a restart is told */
  open(nodeId: string, initial = false): DurableMap<PersistedDevice> {
    const known = this.#ofNodes.get(nodeId);
    if (known) return known;
    const states = new DurableMap(this.journal, `${keyPrefix}${nodeId}/`, persistedDevice);
    this.#ofNodes.set(nodeId, states);
    if (initial) void states.batch(() => markAsBeforeRestart(states));
    return states;
  }

  /** A device that several nodes supervise is returned several times. */
  *devices(): Generator<readonly [id: string, kept: PersistedDevice]> {
    for (const devices of this.#ofNodes.values()) yield* devices.entries;
  }

  forget(nodeId: string): void {
    const devices = this.open(nodeId);
    this.#ofNodes.delete(nodeId);
    void devices.batch(() => {
      for (const [id] of devices.entries) void devices.delete(id);
    });
  }

  /** Forgets the nodes that the flows no longer have after a restart. */
  #forgetLost(): void {
    const ids = [...this.journal.entries(keyPrefix)].map(([key]) => key.split('/')[1] ?? '');
    for (const id of new Set(ids)) if (!this.#ofNodes.has(id)) this.forget(id);
  }
}

function markAsBeforeRestart(states: DurableMap<PersistedDevice>): void {
  for (const [id, { reported, ...state }] of states.entries)
    if (reported) void states.set(id, { ...state, reported: { ...reported, isBeforeRestart: true } });
}
