import type { SaidSentences, SaidText } from '../../../runtime/answers';
import { loadSentences, sentenceOf } from '../language/sentences';

/** What a device answered to a dialog. */
export interface DeviceResponse {
  readonly device?: string;
  readonly outcome?: string;
  readonly answer?: unknown;
  readonly note?: string;
  readonly code?: string;
  readonly error?: string;
}

/** What comes over the wire: beside the English what it is made of. */
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
 * Asks a deployed device by its id. What goes wrong is in the answer's `error`.
 * @param way `look` for what only reads
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
    // Relative, and through jQuery, so that the editor puts its own base and login before it.
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

/** The device that the dialog's messages go to; undefined where it is not one that is chosen here. */
export function chosenDevice(): string | undefined {
  const id = String($('#node-input-device').val() ?? '');
  if ($('#node-input-target').val() !== 'device') return undefined;
  return RED.nodes.node(id)?.type === 'algo-device' ? id : undefined;
}
