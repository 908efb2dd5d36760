import type { NodeAPI } from 'node-red';
import type { SharedJournal } from '../../kernel/journal/journal';
import { readEntries } from '../../kernel/journal/read-entries';
import { journalOf } from '../journal/shared-journal';
import { PerNodeRed } from '../per-node-red';
import { type PersistedDevice, parsePersistedDevice } from './persisted-device';

/** The keys of the journal are this prefix, the id of the node, a slash, and the id of the device. */
const keyPrefix = 'supervision/';

const states = new PerNodeRed((RED) => new SupervisionStates(RED, journalOf(RED)));

export function statesOf(RED: NodeAPI): SupervisionStates {
  return states.of(RED);
}

export function knownStates(RED: NodeAPI): SupervisionStates | undefined {
  return states.existing(RED);
}

/**
 * The states of the supervised devices of all nodes. Memory keeps the states across deploys, and the journal
 * keeps the states across restarts.
 */
export class SupervisionStates {
  readonly #ofNodes = new Map<string, Map<string, PersistedDevice>>();
  readonly #nodes = new Set<string>();

  constructor(
    RED: NodeAPI,
    private readonly journal: SharedJournal,
  ) {
    for (const [key, kept] of readEntries(journal, keyPrefix, parsePersistedDevice)) {
      const [nodeId = '', ...deviceId] = key.slice(keyPrefix.length).split('/');
      this.#devicesOf(nodeId).set(deviceId.join('/'), kept);
    }
    RED.events.once('flows:started', () => this.#forgetLost());
  }

  open(nodeId: string): ReadonlyMap<string, PersistedDevice> {
    this.#nodes.add(nodeId);
    return this.#devicesOf(nodeId);
  }

  keep(nodeId: string, changes: readonly (readonly [id: string, kept: PersistedDevice | undefined])[]): void {
    if (changes.length === 0) return;
    const devices = this.#devicesOf(nodeId);
    void this.journal.batch(() => {
      for (const [id, kept] of changes) {
        const key = `${keyPrefix}${nodeId}/${id}`;
        if (kept) {
          devices.set(id, kept);
          void this.journal.put(key, kept as unknown as Parameters<SharedJournal['put']>[1]);
        } else {
          devices.delete(id);
          void this.journal.delete(key);
        }
      }
    });
  }

  /** A device that several nodes supervise is returned several times. */
  *devices(): Generator<readonly [id: string, kept: PersistedDevice]> {
    for (const nodeId of this.#nodes) yield* this.#devicesOf(nodeId);
  }

  forget(nodeId: string): void {
    this.#nodes.delete(nodeId);
    this.keep(
      nodeId,
      [...this.#devicesOf(nodeId).keys()].map((id) => [id, undefined]),
    );
    this.#ofNodes.delete(nodeId);
  }

  #forgetLost(): void {
    for (const nodeId of [...this.#ofNodes.keys()]) if (!this.#nodes.has(nodeId)) this.forget(nodeId);
  }

  #devicesOf(nodeId: string): Map<string, PersistedDevice> {
    const devices = this.#ofNodes.get(nodeId) ?? new Map<string, PersistedDevice>();
    this.#ofNodes.set(nodeId, devices);
    return devices;
  }
}
