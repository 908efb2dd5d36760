/** What a run leaves behind: plain data, from which the model judges. All times are milliseconds of one clock. */

export interface Target {
  /** As the receipt has to call it. */
  readonly name: string;
  /** Which device it is; absent: none, so nothing may be sent. */
  readonly device?: number;
  /** The error code that is due where there is none. */
  readonly code?: string;
  /** The target was found through a group on dry run. */
  readonly dryRun?: true;
}

/** A message, as it was planned. */
export interface Message {
  readonly id: number;
  /** The node that takes it. */
  readonly node: string;
  /** `resource/operation`; the name of the spec tells two of one operation apart. */
  readonly spec: string;
  readonly targets: readonly Target[];
  /** `msg.ttl`, in seconds. */
  readonly ttl?: number;
}

export interface Receipt {
  readonly device: string;
  readonly operation: string;
  readonly outcome: string;
  readonly attempts: number;
  /** Milliseconds from its message's arrival to the receipt; those of other targets may take longer. */
  readonly latencyMs?: number;
  readonly statusCode?: number;
  /** The answer's beginning, as JSON. */
  readonly response?: string;
  readonly note?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The place of a split message, and the devices of its receipts. */
export interface SplitPart {
  readonly index: number;
  readonly count: number;
  /** The devices of its receipts. */
  readonly devices: readonly string[];
}

/** What became of a message, as Node-RED saw it. */
export interface Course {
  readonly message: Message;
  /** Its place among all messages: that in which they reached their nodes. */
  readonly order: number;
  readonly sentAt: number;
  /** Every call of `done`. */
  readonly ends: readonly { readonly at: number; readonly code?: string; readonly failed: boolean }[];
  /** How often it left by the output, reached a Complete node, and a Catch node. */
  readonly out: number;
  readonly completed: number;
  readonly caught: number;
  readonly receipts?: readonly Receipt[];
  /** Messages that left by the output of a node with `split`. */
  readonly split?: readonly SplitPart[];
}

/** What a device made of a request: did it, refused it, or left it unclear. */
export type Verdict = 'yes' | 'no' | 'unclear';

/** A request that reached a device to its last byte. */
export interface Request {
  readonly device: number;
  readonly connection: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** When its last byte was read; a device acts at once or never. */
  readonly at: number;
  readonly fault: string;
  readonly taken: boolean;
  readonly verdict: Verdict;
  /** The error code of a refusal. */
  readonly code?: string;
  /** When the whole answer was written; absent: it never was. */
  answeredAt?: number;
}

/** A moment from which on what was under way to a device may be lost: a socket closed by it, a port shut. */
export interface Loss {
  readonly device: number;
  readonly at: number;
  /** When the port listened again, where it was shut. */
  readonly until?: number;
  /** It was there, and showed a certificate that is not its own. */
  readonly stranger?: true;
}

export interface Deploy {
  readonly type: string;
  /** The devices that are replaced by it. */
  readonly devices: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A time in which a process could do nothing at all, be it busy or not given a processor. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

export interface History {
  readonly courses: readonly Course[];
  readonly requests: readonly Request[];
  readonly losses: readonly Loss[];
  readonly deploys: readonly Deploy[];
  /** Of Node-RED or of the devices. */
  readonly stalls: readonly Stall[];
  /** Sentences about what no message is to blame for: warnings, leaks, connections too many. */
  readonly complaints: readonly string[];
  /** The lines of Node-RED's log, warnings and errors. */
  readonly logs: readonly string[];
  /** Devices where what is started is ended, so that not every stop is asked for by a message. */
  readonly endings?: readonly number[];
  /** How many messages may wait at a device, where that is few. */
  readonly bounds?: Readonly<Record<number, number>>;
}

/** A rule that was broken, with what is needed to look into it. */
export interface Violation {
  readonly rule: string;
  readonly text: string;
  readonly message?: number;
  readonly device?: number;
}

/** How many milliseconds of a span were lost to stalls. */
export const stalledMs = (stalls: readonly Stall[], from: number, to: number): number =>
  stalls.reduce((sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)), 0);

/** Milliseconds since 1970 with their fractions; processes of one machine agree on them. */
export const now = (): number => performance.timeOrigin + performance.now();
