/** What a person needs to see of a certificate to decide about it. */
export interface ShownCertificate {
  /** SHA-256. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Names and addresses that it is made out to. */
  readonly names: string;
  readonly from: string;
  readonly until: string;
}

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
  readonly roundTripMs?: number;
  /** The device's clock minus ours. */
  readonly clockOffsetMs?: number;
  readonly certificate?: ShownCertificate;
  readonly use?: string;
  readonly code?: string;
  readonly sentence?: string;
}

/** One thing that a device has, for a person to choose. */
export interface Offer {
  /** What is written into the field. */
  readonly value: string;
  /** What the device calls it. */
  readonly about?: string;
}

/** What a device has of something, or why it did not say. */
export interface Offers {
  readonly offers: readonly Offer[];
  readonly code?: string;
  readonly sentence?: string;
}

/** What became of what a dialog sent, or why nothing was sent. */
export type Tried =
  | { readonly receipts: readonly TriedReceipt[]; readonly untried?: undefined }
  | {
      /** `message`: the fields of these names come with a message, or from Node-RED's environment. */
      readonly untried: 'operation' | 'message';
      readonly names: readonly string[];
    };

/** What a dialog shows of a receipt. */
export interface TriedReceipt {
  readonly device: string;
  readonly outcome: string;
  readonly latencyMs: number;
  readonly response?: unknown;
  readonly note?: string;
  readonly error?: { readonly code: string; readonly message: string };
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
