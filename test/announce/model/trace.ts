/* What a driver delivers: the devices of a history, and all that was asked, sent, told, held and lost, in order. Times in ms. */

export interface Device {
  readonly name: string;
  /** Supports tone/start. */
  readonly tone: boolean;
  /** Supports screen/text-start. */
  readonly text: boolean;
  /** Supports files/put and files/list. */
  readonly put: boolean;
  readonly dryRun: boolean;
  /** Tones that it has not. */
  readonly lacks: readonly string[];
  /** files/get of a tone is refused: its length counts as 5 s. */
  readonly lengthUnknown: boolean;
  /** Its one volume setting, and the value of that at the beginning. */
  readonly setting: string;
  readonly volume: string;
}

/** A message to an announce node, with what the node's properties make of it. */
export interface Ask {
  readonly is: 'ask';
  readonly t: number;
  readonly tag: number;
  /** The id of its events, if it is known before the first output. */
  readonly id?: string;
  readonly node: string;
  readonly operation: 'play' | 'prepare' | 'stop' | 'state';
  /** Whether the contract accepts it. */
  readonly valid: boolean;
  /** Names of devices, each once. */
  readonly targets: readonly string[];
  /** The `path` of its tone/start: `algo-<16 hex digits>.wav` of a Buffer, else the tone's name. */
  readonly file: string;
  readonly isBuffer: boolean;
  readonly chime: string;
  readonly repeat: number;
  readonly intervalMs: number;
  /** As the device has it (`-12dB`); empty: as it is. */
  readonly volume: string;
  readonly text: string;
  readonly togetherMs: number;
  readonly overlap: 'queue' | 'replace' | 'skip';
  readonly priority: number;
  /** 0: no limit. */
  readonly ttlMs: number;
}

/** What reached a device: those that did not (no connection) are left out. In the order in which the device did them. */
export interface Request {
  readonly is: 'request';
  /** First byte. */
  readonly t: number;
  /** Last byte of the answer, or when it was cut or given up. */
  readonly end: number;
  /** When it came to the queue of its device, if that is known. */
  readonly since?: number;
  readonly device: string;
  /** Who sent it: an announcement, an alert, any other node or person. */
  readonly by: 'own' | 'alert' | 'other';
  /** As in receipts: tone/start, tone/stop, settings/get, settings/put, screen/text-start, files/put … */
  readonly op: string;
  /** The tone, the file's path below the file manager, the setting, the text. */
  readonly subject: string;
  /** The setting's value, written or read. */
  readonly value?: string;
  /** `loop` of a tone/start. */
  readonly loop?: boolean;
  readonly answer: 'yes' | 'no' | 'lost';
  /** Whether the device did it. */
  readonly done: boolean;
}

/** The second output. */
export interface Told {
  readonly is: 'event';
  readonly t: number;
  readonly id: string;
  readonly event: string;
  readonly device?: string;
  readonly durationMs?: number;
  readonly reason?: string;
}

export interface Receipt {
  readonly device: string;
  readonly operation: string;
  readonly outcome: string;
  readonly code?: string;
}

/** The first output, or, where the message did not go on, the error's message. */
export interface Output {
  readonly is: 'output';
  readonly t: number;
  readonly tag: number;
  readonly id?: string;
  readonly receipts: readonly Receipt[];
  /** The payload of `state`, with ids. */
  readonly state?: readonly { device: string; playing: string | null; waiting: readonly string[] }[];
  /** The message did not go on. */
  readonly error?: string;
}

/** An alert begins or ceases to own an output of a device (2.6). */
export interface Hold {
  readonly is: 'hold';
  readonly t: number;
  readonly device: string;
  readonly output: 'tone' | 'call' | 'emergency' | 'screen' | 'text';
  readonly alert: string;
  readonly on: boolean;
}

export type Entry =
  | Ask
  | Request
  | Told
  | Output
  | Hold
  | { readonly is: 'away'; readonly t: number; readonly device: string; readonly until: number }
  | { readonly is: 'kill'; readonly t: number; readonly until: number }
  | { readonly is: 'deploy'; readonly t: number; readonly node: string };

export interface Trace {
  readonly devices: readonly Device[];
  /** By tone or file, where the device lets its length be known. */
  readonly lengthsMs: Readonly<Record<string, number>>;
  /** What two clocks, a queue's turn and a request take at most: nothing is said of moments nearer than that. */
  readonly slackMs: number;
  /** Sorted by t. It ends when all is quiet: nothing plays, waits or is to be put back. */
  readonly entries: readonly Entry[];
}
