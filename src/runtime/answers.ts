export interface ShownCertificate {
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  readonly names: string;
  /** Start of validity in ISO 8601, or the certificate's text if the text is not a valid time. */
  readonly from: string;
  readonly until: string;
}

/**
 * A localized message (`src/catalogue/localized-message.ts`) as JSON: a phrase and its values. A plain text
 * is shown untranslated.
 */
export type LocalizedText =
  | string
  | { readonly phrase: string; readonly values: Readonly<Record<string, LocalizedText>> };

/** The result of a test of a device's settings. No field is secret. */
export interface TrialFinding {
  /**
   * The kind of result:
   * - `works`: the device accepted the login
   * - `unproved`: the start page names an Algo product, but the device refused the test request
   * - `certificate`: the certificate is not trusted, or no certificate is pinned yet
   * - `changed`: the certificate is not the pinned certificate
   * - `login`: the device rejected the login
   * - `stranger`: the address is not that of an Algo device
   * - `scheme`: the server uses the other scheme (http or https); `use` is the address to enter
   * - `password`: no known password may be sent to this address, so the user must enter the password
   * - `failed`: any other error, with its code and sentence
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
  /** Whether the device also accepts requests without a login, so that the password remains untested. */
  readonly isOpen?: true;
  readonly roundTripMs?: number;
  /** The device's clock minus the clock of Node-RED, in milliseconds. */
  readonly clockOffsetMs?: number;
  readonly certificate?: ShownCertificate;
  readonly use?: string;
  readonly code?: string;
  readonly sentence?: string;
  readonly localizedMessage?: LocalizedText;
}

export interface Suggestion {
  readonly value: string;
  readonly about?: string;
}

export interface Offers {
  readonly offers: readonly Suggestion[];
  readonly of: string;
  readonly code?: string;
  readonly sentence?: string;
  readonly localizedMessage?: LocalizedText;
  /** The requested folder, if the device answered that the folder does not exist; otherwise absent. */
  readonly missing?: string;
}

export type Tried =
  | {
      readonly receipts: readonly TriedReceipt[];
      readonly untried?: undefined;
      /** The first differences of a comparison, and the number of the others. */
      readonly differences?: readonly Difference[];
      readonly more?: number;
    }
  | {
      /**
       * `operation`: the operation is unknown, or its parameters are missing. `message`: the fields in
       * `names` come from a message or from Node-RED's environment.
       */
      readonly untried: 'operation' | 'message';
      readonly names: readonly string[];
    };

/** A setting that differs from a profile. `is` is absent if the device does not know the setting. */
export interface Difference {
  readonly device: string;
  readonly setting: string;
  readonly is?: string;
  readonly wanted: string;
}

/**
 * The localized messages of a receipt. `inside`: the English sentences in the receipt's response, each with
 * its localized message.
 */
export interface LocalizedSentences {
  readonly note?: LocalizedText;
  readonly reason?: LocalizedText;
  readonly sentence?: LocalizedText;
  readonly inside?: readonly (readonly [english: string, message: LocalizedText])[];
}

export interface TriedReceipt {
  readonly device: string;
  readonly outcome: string;
  readonly latencyMs: number;
  readonly response?: string;
  readonly note?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly localized: LocalizedSentences;
}

export interface PendingCommand {
  readonly operation: string;
  /** The name of the alert, or of the node that started the operation. */
  readonly by: string;
  /** Due time in ISO 8601; absent for a command of an alert. */
  readonly due?: string;
  /** In a rolling message: the device waits for its turn, or its command for its end. */
  readonly waitsFor?: 'turn' | 'end';
}

/** The state of a device in supervision: the worst state if several nodes supervise the device. */
export interface OverviewSupervision {
  readonly state: 'offline' | 'fault' | 'warning' | 'unknown' | 'masked' | 'ok';
  readonly since: string;
  /**
   * The first findings, each as the name of the check, followed by the setting or the file if the finding has
   * one.
   */
  readonly checks?: readonly string[];
}

export interface OverviewAlert {
  readonly state: 'idle' | 'active' | 'clearing';
  /** Number of devices on which all supported actions of the alert are on. */
  readonly active: number;
  readonly targets: number;
  /** Number of devices where an output might still be on after the alert has lost its claim to the output. */
  readonly pending: number;
  /** Number of devices where an action of a dry run is on; absent if there are none. */
  readonly dryRun?: number;
  readonly acknowledged: number;
  readonly people?: readonly { readonly by: string; readonly at: string; readonly answer?: string }[];
  readonly report?: {
    readonly drill: boolean;
    readonly startedAt: string;
    readonly startedBy?: string;
    readonly clearedAt?: string;
    readonly clearedBy?: string;
    readonly targets: number;
    readonly reached: number;
    readonly held: number;
    readonly dryRun?: number;
    readonly missed: number;
    readonly list?: readonly {
      readonly device: string;
      readonly operation: string;
      readonly outcome: string;
      readonly reason?: string;
    }[];
  };
}

export interface OverviewAnnouncement {
  /** The name of the node, or its id. */
  readonly node: string;
  readonly priority: number;
}

export interface OverviewAnnouncements {
  readonly playing?: OverviewAnnouncement;
  /** The first waiting announcements; the next announcement comes first. */
  readonly waiting: readonly OverviewAnnouncement[];
  /** Number of announcements that wait. */
  readonly count: number;
}

export interface OverviewRow {
  readonly id: string;
  readonly kind: 'device' | 'group' | 'alert';
  readonly name: string;
  readonly address?: string;
  readonly product?: string;
  readonly model?: string;
  readonly firmware?: string;
  readonly mac?: string;
  /** Whether the device is online; absent if unknown. */
  readonly reachable?: boolean;
  /** Whether the last answer of the device rejected the login; for a group, the number of such devices. */
  readonly rejected?: boolean | number;
  /** The environment variable that is not set, so that no request can be sent to the device. */
  readonly unset?: string;
  readonly dryRun?: true;
  /** Time since which the device is offline, in ISO 8601. */
  readonly awaySince?: string;
  /** Time of the last success, in ISO 8601. */
  readonly lastSeen?: string;
  /** The device's clock minus the clock of Node-RED, in whole seconds. */
  readonly clockSeconds?: number;
  readonly roundTripMs?: number;
  readonly last?: { readonly operation: string; readonly outcome: string; readonly at: string };
  readonly error?: {
    readonly operation: string;
    readonly code: string;
    readonly reason: string;
    readonly localizedReason?: LocalizedText;
    readonly at: string;
  };
  readonly alerts?: readonly string[];
  readonly announcements?: OverviewAnnouncements;
  readonly supervision?: OverviewSupervision;
  readonly alert?: OverviewAlert;
  readonly pending?: readonly PendingCommand[];
  readonly groups?: readonly string[];
  readonly members?: number;
  readonly there?: number;
  /**
   * Number of devices in the group that are offline. A device that is online but rejects the login, or has no
   * result so far, counts neither here nor in `there`.
   */
  readonly away?: number;
}

export type OverviewChange = { readonly id: string } & {
  readonly [field in Exclude<keyof OverviewRow, 'id'>]?: OverviewRow[field] | null;
};

export interface OverviewNews {
  readonly changes: readonly OverviewChange[];
  readonly removed: readonly string[];
  readonly total: number;
  /** Whether the sidebar must discard its earlier rows. */
  readonly begins?: true;
}

/** A lease for the updates of a sidebar. The lease ends half a minute after its last renewal. */
export interface OverviewLease {
  readonly lease: string;
}

/** The known identities, by device id. A device whose model is unknown is absent. */
export interface OverviewKnown {
  readonly known: { readonly [id: string]: { readonly model?: string; readonly firmware?: string } };
}

export interface OverviewAsked {
  /**
   * Number of devices that get a request. Unknown ids, and devices whose identity is already being read, do
   * not count.
   */
  readonly asked: number;
}

export interface FoundDevice {
  readonly address: string;
  readonly secure: boolean;
  readonly product: string;
  readonly model?: string;
}

/**
 * One line of the response to a search. Each line has exactly one field. `of`: the number of addresses.
 * `asked`: 1 for a searched address without a device. `found`: a device at a searched address. `ended`: the
 * end of the search.
 */
export interface FindLine {
  readonly of?: number;
  readonly asked?: number;
  readonly found?: FoundDevice;
  readonly ended?: true;
}

export interface OwnRanges {
  readonly ranges: readonly string[];
}

export interface WebhookAddress {
  /** An address of this computer; IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /**
   * The root path of the HTTP nodes, without a slash at its end; absent if Node-RED does not serve HTTP
   * nodes.
   */
  readonly root?: string;
  readonly isLocal: boolean;
  /** The name of a device that has the password of the webhook; absent if no device has the password. */
  readonly samePassword?: string;
}
