/** What a person needs to see of a certificate to decide about it. */
export interface ShownCertificate {
  /** SHA-256. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Names and addresses that it is made out to. */
  readonly names: string;
  /** ISO 8601, or what cannot be read as a time. */
  readonly from: string;
  readonly until: string;
}

/**
 * What a sentence of ours is made of (`src/catalogue/localized-message.ts`), as JSON: a phrase, and what is put into it. A text of
 * others is itself.
 */
export type SaidText =
  | string
  | { readonly phrase: string; readonly values: Readonly<Record<string, SaidText>> };

/** What a trial of a device's settings came to. A dialog says it in its own words; none of it is a secret. */
export interface Finding {
  /**
   * - `works`: it is let in; `unproved`: it is the maker's, but too old to say who it is
   * - `certificate`: unknown, `changed` where another one was pinned
   * - `login`: not let in, for one of four causes
   * - `stranger`: what answers is none of the maker's devices
   * - `scheme`: `use` is the address to write
   * - `password`: the stored one does not go to another address
   * - `failed`: anything else, by its code and sentence
   */
  readonly finding:
    | 'works'
    | 'unproved'
    | 'certificate'
    | 'changed'
    | 'login'
    | 'stranger'
    | 'scheme'
    | 'password'
    | 'failed';
  readonly product?: string;
  readonly model?: string;
  readonly firmware?: string;
  readonly mac?: string;
  readonly auth?: 'standard' | 'basic' | 'none';
  readonly secure?: boolean;
  /** It is let in without a login too, so nothing is known of the password. */
  readonly isOpen?: true;
  readonly roundTripMs?: number;
  /** The device's clock minus ours. */
  readonly clockOffsetMs?: number;
  readonly certificate?: ShownCertificate;
  readonly use?: string;
  readonly code?: string;
  readonly sentence?: string;
  /** What the sentence is made of. */
  readonly said?: SaidText;
}

/** One thing that a device has, for a person to choose. */
export interface Suggestion {
  /** What is written into the field. */
  readonly value: string;
  /** What the device calls it. */
  readonly about?: string;
}

/** What a device has of something, or why it did not say. */
export interface Offers {
  readonly offers: readonly Suggestion[];
  /** The name of the device. */
  readonly of: string;
  readonly code?: string;
  readonly sentence?: string;
  readonly said?: SaidText;
  /** The folder whose files it was asked for, where it has none of that name. */
  readonly missing?: string;
}

/** What became of what a dialog sent, or why nothing was sent. */
export type Tried =
  | { readonly receipts: readonly TriedReceipt[]; readonly untried?: undefined }
  | {
      /** `message`: the fields of these names come with a message, or from Node-RED's environment. */
      readonly untried: 'operation' | 'message';
      readonly names: readonly string[];
    };

/** What the sentences of a receipt are made of, and those inside of its answer, each behind its English. */
export interface SaidSentences {
  readonly note?: SaidText;
  readonly reason?: SaidText;
  readonly inside?: readonly (readonly [english: string, said: SaidText])[];
}

/** What a dialog shows of a receipt. */
export interface TriedReceipt {
  readonly device: string;
  readonly outcome: string;
  readonly latencyMs: number;
  /** The beginning of it, as a text. */
  readonly response?: string;
  readonly note?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly said: SaidSentences;
}

/** What is to be ended, or to come back, at a device. */
export interface PendingCommand {
  /** For example `strobe/stop`. */
  readonly operation: string;
  /** The name of the alert, or of the node, that started it. */
  readonly by: string;
  /** ISO 8601: when it is due, where that was said. It is asked for from then on until it is done. */
  readonly due?: string;
}

/** A device or a group as the sidebar shows it; what is not known is absent. None of it is a secret. */
export interface OverviewRow {
  readonly id: string;
  readonly kind: 'device' | 'group';
  readonly name: string;
  readonly address?: string;
  readonly product?: string;
  readonly model?: string;
  readonly firmware?: string;
  readonly mac?: string;
  /** Absent before anything was asked of it. */
  readonly reachable?: boolean;
  /** Of a device whether it answers and rejects the login; of a group how many of its devices do. */
  readonly rejected?: boolean | number;
  /** The environment variable that it wants and that is not set: nothing can be asked of it. */
  readonly unset?: string;
  /** ISO 8601: since when it has not answered. */
  readonly awaySince?: string;
  /** ISO 8601: when it last did what it was asked. */
  readonly lastSeen?: string;
  /** The device's clock minus ours, in whole seconds. */
  readonly clockSeconds?: number;
  readonly roundTripMs?: number;
  readonly last?: { readonly operation: string; readonly outcome: string; readonly at: string };
  readonly error?: {
    readonly operation: string;
    readonly code: string;
    readonly message: string;
    readonly said?: SaidText;
    readonly at: string;
  };
  /** Names of the alerts that are on at it. */
  readonly alerts?: readonly string[];
  readonly owed?: readonly PendingCommand[];
  /** Ids of the groups it belongs to. */
  readonly groups?: readonly string[];
  /** Of a group: how many devices it has, how many of them are there, and how many are not. */
  readonly members?: number;
  readonly there?: number;
  readonly away?: number;
}

/** What of a row is another than before; `null` for what is not known any more. */
export type OverviewChange = { readonly id: string } & {
  readonly [field in Exclude<keyof OverviewRow, 'id'>]?: OverviewRow[field] | null;
};

/** What the runtime tells a sidebar, on the topic `algo/overview`. */
export interface OverviewNews {
  readonly changes: readonly OverviewChange[];
  /** Ids of rows that are no more. */
  readonly gone: readonly string[];
  /** How many rows there are. */
  readonly total: number;
  /** What was told before is void. */
  readonly begins?: true;
}

/** Leave to be told: holds for half a minute from the last time it was asked for. */
export interface OverviewLease {
  readonly lease: string;
}

/** Which models devices are, by their ids; those of which that is not known are left out. */
export interface OverviewKnown {
  readonly known: { readonly [id: string]: { readonly model?: string; readonly firmware?: string } };
}

export interface OverviewAsked {
  /** How many devices are asked; others are being asked already, or are not there. */
  readonly asked: number;
}

/** A device that was found: what everybody may know of it. */
export interface FoundDevice {
  /** With its port, where the search was for one. */
  readonly address: string;
  readonly secure: boolean;
  readonly product: string;
  readonly model?: string;
}

/** One line of what a search answers: how many there are to ask, one that was asked, one that was found, the end. */
export interface FindLine {
  readonly of?: number;
  readonly asked?: number;
  readonly found?: FoundDevice;
  readonly ended?: true;
}

/** Ranges that a dialog proposes to search. */
export interface OwnRanges {
  readonly ranges: readonly string[];
}
