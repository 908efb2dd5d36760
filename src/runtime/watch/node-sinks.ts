import type { Node, NodeMessage } from 'node-red';
import type { DeviceError } from '../../client/errors';
import type { StatusLine } from '../message/status';
import type { GroupSink, GroupState } from './group-watch';
import { type StatusWords, shownBy, shownByGroup } from './status-words';
import type { ConnectionPayload, Content, Sink, WatchState } from './watch';

export function namedAs(device: string): { readonly topic: string; readonly device: string } {
  return { topic: device, device };
}

export class NodeSink implements Sink {
  #shown = '';

  constructor(
    private readonly words: StatusWords,
    private readonly node: Node,
    private readonly device: string,
  ) {}

  changes(messages: readonly Content[]): void {
    sendChanges(this.node, this.device, messages);
  }

  connection(payload: ConnectionPayload): void {
    this.node.send([null, { ...namedAs(this.device), payload }]);
  }

  unsupported(error: DeviceError): void {
    reportFault(this.node, this.device, error);
  }

  show(state: WatchState): void {
    // Most readings do not change the status, and setting an equal status would cost more than the reading.
    const shown = shownBy(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.node.status(this.words.statusOf(state));
  }
}

/**
 * A sink that reports about a group to a node. Hundreds of members can change together, so the status changes
 * at most four times a second.
 */
export class NodeGroupSink implements GroupSink {
  #shown = '';

  constructor(
    private readonly words: StatusWords,
    private readonly node: Node,
    private readonly status: StatusLine,
  ) {}

  changes(device: string, messages: readonly Content[]): void {
    sendChanges(this.node, device, messages);
  }

  connection(device: string, payload: ConnectionPayload): void {
    this.node.send([null, { ...namedAs(device), payload }]);
  }

  fault(device: string, error: DeviceError): void {
    reportFault(this.node, device, error);
  }

  show(state: GroupState): void {
    const shown = shownByGroup(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.status.show(() => this.words.statusOfGroup(state));
  }
}

function sendChanges(node: Node, device: string, messages: readonly Content[]): void {
  node.send([messages.map((content): NodeMessage => ({ ...namedAs(device), ...content }))]);
}

function reportFault(node: Node, device: string, error: DeviceError): void {
  node.error(error.message, { ...namedAs(device), payload: null } as NodeMessage);
}
