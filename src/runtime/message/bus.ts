import type { Operation } from '../../catalogue/operation';
import type { Turn } from '../../client/client';
import type { Receipt } from './receipt';

export interface Sender {
  readonly node: string;
  readonly nodeId: string;
}

type Listener = (receipt: Receipt, sender: Sender) => void;

const listeners = new Set<Listener>();

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publish(receipt: Receipt, sender: Sender, onFault: (fault: unknown) => void): void {
  for (const listener of listeners) {
    try {
      listener(receipt, sender);
    } catch (fault) {
      onFault(fault);
    }
  }
}

/** An operation that has succeeded at a device output. */
export interface OperationEvent {
  readonly device: { readonly id: string; readonly where?: string | undefined };
  readonly deviceOutput: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** An operation that is about to be sent to a device. */
export interface SendingEvent extends Omit<OperationEvent, 'deviceOutput'> {
  readonly operationName: string;
  /** The node that sends the operation, or on whose behalf the operation is sent. */
  readonly sender: { readonly id: string; readonly name?: string | undefined; readonly type: string };
  readonly turn: Turn;
}

export interface SendingWatch {
  /** The operation waits for this promise before it is sent. The promise must not reject. */
  readonly ready?: Promise<void> | undefined;
  /**
   * `happened` is false if the operation definitely did not take effect. After a success, the turn of the
   * operation waits for the returned promise, which must not reject.
   */
  end(happened: boolean): Promise<void> | undefined;
}

type SendingListener = (sending: SendingEvent) => SendingWatch | undefined;

export const sendingListeners = new Set<SendingListener>();

/** The listener is called in the turn of the operation, before the operation is sent. */
export function onSending(listener: SendingListener): void {
  sendingListeners.add(listener);
}

/** @returns undefined if no listener watches the operation */
export function emitSending(sending: () => SendingEvent): SendingWatch | undefined {
  if (sendingListeners.size === 0) return undefined;
  const event = sending();
  const watches = [...sendingListeners].flatMap((listener) => listener(event) ?? []);
  if (watches.length === 0) return undefined;
  return {
    ready: whenAll(watches.map(({ ready }) => ready)),
    end: (happened) => whenAll(watches.map((watch) => watch.end(happened))),
  };
}

export const operationListeners = new Set<(happened: OperationEvent) => void>();

export function onOperation(listener: (happened: OperationEvent) => void): void {
  operationListeners.add(listener);
}

export function emitOperation(happened: OperationEvent): void {
  for (const listener of operationListeners) listener(happened);
}

interface Place {
  readonly id: string;
  readonly where?: string | undefined;
}

/** Answers which device outputs real alerts own (docs/contract.md 2.6, *Other nodes at a device output*). */
export interface RealAlerts {
  /**
   * Returns the name of the alert that owns a device output; without a device output, the name of an alert
   * that uses the device. Undefined if there is none.
   */
  ownerOf(device: Place, deviceOutput: string | undefined): string | undefined;
  /**
   * Called before Node-RED stops by itself what a node has started.
   * @param nodeId id of the node
   * @returns true if the device output belongs to a real alert, so that the stop must not be sent; `later` if the
   * start of the alert still has to be sent, so that the stop must wait for its result
   */
  keepsOn(device: Place, deviceOutput: string, nodeId: string): boolean | 'later';
}

const alertRooms = new Set<RealAlerts>();

export function registerRealAlerts(alerts: RealAlerts): void {
  alertRooms.add(alerts);
}

export const realAlerts: RealAlerts = {
  ownerOf(device, deviceOutput) {
    for (const alerts of alertRooms) {
      const owner = alerts.ownerOf(device, deviceOutput);
      if (owner !== undefined) return owner;
    }
    return undefined;
  },
  keepsOn(...stop) {
    for (const alerts of alertRooms) {
      const keeps = alerts.keepsOn(...stop);
      if (keeps) return keeps;
    }
    return false;
  },
};

/** Resolves when all writes have ended; undefined if no write is running. */
export function whenAll(writings: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const left = writings.filter((writing) => writing !== undefined);
  return left.length > 1 ? Promise.all(left).then(() => {}) : left[0];
}
