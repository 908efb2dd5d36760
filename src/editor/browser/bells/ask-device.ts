import type { SaidSentences, SaidText } from '../../../runtime/answers';
import { loadSentences, sentenceOf } from '../language/sentences';

/** The answer of a device to a request from a dialog. */
export interface DeviceResponse {
  readonly device?: string;
  readonly outcome?: string;
  readonly answer?: unknown;
  readonly note?: string;
  readonly code?: string;
  readonly error?: string;
}

/** The answer on the wire, with the parts of its sentences for translation. */
interface Answered extends DeviceResponse {
  readonly said?: SaidSentences;
}

function inWords({ said = {}, ...answered }: Answered): DeviceResponse {
  const { answer, note, error } = answered;
  const { warnings } = Object(answer) as { warnings?: readonly string[] };
  const own = new Map(said.inside?.map(([english, made]) => [english, sentenceOf(english, made)]));
  return {
    ...answered,
    ...(note !== undefined && { note: sentenceOf(note, said.note) }),
    ...(error !== undefined && { error: sentenceOf(error, said.reason) }),
    ...(warnings && {
      answer: { ...(answer as object), warnings: warnings.map((one) => own.get(one) ?? one) },
    }),
  };
}

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

/**
 * Sends a request to a deployed device by its id. A failure is in the answer's `error`.
 * @param way `look` for requests that only read
 */
export async function askDevice(
  id: string,
  way: 'look' | 'change',
  asked: { readonly operation: string; readonly parameters: object },
  translate: Translate,
): Promise<DeviceResponse> {
  const settings = { method: 'POST', contentType: 'application/json', data: JSON.stringify(asked) };
  await loadSentences();
  try {
    // The address is relative and jQuery sends the request, so that the editor adds its base path and login.
    return inWords((await $.ajax(`algo/bells/${encodeURIComponent(id)}/${way}`, settings)) as Answered);
  } catch (refused) {
    const { status, responseJSON } = refused as JQuery.jqXHR<{ error?: unknown; said?: SaidText }>;
    if (status === 401) return { error: translate('bells.forbidden', { permission: permissions[way] }) };
    const words = responseJSON?.error;
    return {
      error: typeof words === 'string' ? sentenceOf(words, responseJSON?.said) : translate('bells.noAnswer'),
    };
  }
}

/** Returns the selected device; undefined if the dialog has another kind of target. */
export function chosenDevice(): string | undefined {
  const id = String($('#node-input-device').val() ?? '');
  if ($('#node-input-target').val() !== 'device') return undefined;
  return RED.nodes.node(id)?.type === 'algo-device' ? id : undefined;
}
