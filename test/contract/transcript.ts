/**
 * One exchange of the interface document, typed by hand from it: what goes over the wire and what comes
 * back. Neither the catalogue nor the virtual device is looked at when one is written; both are held
 * against it.
 */
export interface Transcript {
  /** A sentence: what happens here. */
  readonly title: string;
  /** The section of the interface document that says so. */
  readonly section: string;
  /** The device that is asked. */
  readonly device: { readonly model: string; readonly firmware: string };
  /** What a flow asks for, as `noun/operation`, with its parameters. Absent: no operation sends this. */
  readonly ask?: { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> };
  /**
   * What is then on the wire. `json` is the parsed body, `body` raw bytes with their `type`; neither: no
   * body. Absent: the request is refused before it is sent.
   */
  readonly request?: {
    readonly line: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
    readonly json?: unknown;
    readonly body?: Buffer;
    readonly type?: string;
  };
  /** What the device answers. `json` deep-equals the parsed answer; `text` equals it; neither: it is empty. */
  readonly answer?: {
    readonly status: number;
    readonly json?: unknown;
    readonly text?: string;
    readonly body?: Buffer;
    /** Words that a refusal's reason contains. */
    readonly reason?: RegExp;
  };
  /** How the package refuses to send `ask`: the error code, and the words its sentence contains. */
  readonly refusal?: { readonly code: string; readonly words: RegExp };
}
