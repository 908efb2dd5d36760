/** What ends something that was started, and when. */
export interface Arming {
  readonly device: { readonly id: string; readonly name: string };
  /** The node that starts it. */
  readonly node: { readonly id: string; readonly name: string; readonly type: string };
  /** For example `door/lock`. */
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Milliseconds from the start's answer. */
  readonly afterMs: number;
}

/** A start that waits or is under way: until it is released, nothing that was started before is ended by us. */
export interface Hold {
  /** Has what is about to be started ended after a while. Resolves when that would survive a crash. */
  arm(arming: Arming): Promise<void>;
  /**
   * The first call counts.
   * @param happened the device did it, or may have
   */
  release(happened: boolean): void;
}

/** What of the ends that Node-RED sends a message has to do with (docs/contract.md 2.5). */
export interface Endings {
  /** A start begins to wait at a device. */
  hold(deviceId: string, subject: string): Hold;
  /** A device has ended the subject, by whatever message. */
  noteEnded(deviceId: string, subject: string): void;
}
