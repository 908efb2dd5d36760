import type { LocalizedSentences } from '../../../runtime/answers';
import { sentenceOf } from '../language/sentences';
import { ask, type Refusal } from '../tools/ask';

export interface DeviceResponse {
  readonly device?: string;
  readonly outcome?: string;
  readonly answer?: unknown;
  readonly note?: string;
  readonly code?: string;
  readonly error?: string;
}

interface Answered extends DeviceResponse {
  readonly localized?: LocalizedSentences;
}

function inWords({ localized = {}, ...answered }: Answered): DeviceResponse {
  const { answer, note, error } = answered;
  const { warnings, notImported } = Object(answer) as {
    warnings?: readonly string[];
    notImported?: readonly { readonly reason: string }[];
  };
  const own = new Map(localized.inside?.map(([english, made]) => [english, sentenceOf(english, made)]));
  return {
    ...answered,
    ...(note !== undefined && { note: sentenceOf(note, localized.note) }),
    ...(error !== undefined && { error: sentenceOf(error, localized.sentence) }),
    ...((warnings ?? notImported) && {
      answer: {
        ...(answer as object),
        ...(warnings && { warnings: warnings.map((one) => own.get(one) ?? one) }),
        ...(notImported && {
          notImported: notImported.map((one) => ({ ...one, reason: own.get(one.reason) ?? one.reason })),
        }),
      },
    }),
  };
}

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

/** @param way `look` for an operation that only reads, `change` for any other operation */
export function askDevice(
  id: string,
  way: 'look' | 'change',
  asked: { readonly operation: string; readonly parameters: object },
  translate: Translate,
): Promise<DeviceResponse> {
  return askBells(`${encodeURIComponent(id)}/${way}`, permissions[way], asked, translate);
}

/** Asks what the operation `import` takes from a calendar. */
export function askForCalendar(parameters: object, translate: Translate): Promise<DeviceResponse> {
  return askBells('calendar', permissions.look, parameters, translate);
}

async function askBells(
  path: string,
  permission: string,
  asked: object,
  translate: Translate,
): Promise<DeviceResponse> {
  try {
    return inWords(await ask<Answered>(`algo/bells/${path}`, asked));
  } catch (refused) {
    const { status, reason } = refused as Refusal;
    if (status === 401) return { error: translate('bells.forbidden', { permission }) };
    if (status === 413) return { error: translate('bells.tooLong') };
    return { error: reason ?? translate('bells.noAnswer') };
  }
}

/**
 * Returns the id of the selected device; undefined if the target is not a single device, or if no device is
 * selected.
 */
export function chosenDevice(): string | undefined {
  const id = String($('#node-input-device').val() ?? '');
  if ($('#node-input-target').val() !== 'device') return undefined;
  return RED.nodes.node(id)?.type === 'algo-device' ? id : undefined;
}
