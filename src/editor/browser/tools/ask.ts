import type { SaidText } from '../../../runtime/admin/answers';
import { loadSentences, sentenceOf } from '../sentences';
/** A text of the device's locale file, in whichever dialog. */
export function words(key: string, values?: Readonly<Record<string, string>>): string {
  return RED._(`@openpaging/node-red-algo/device:${key}`, values);
}

/** Why an endpoint gave no answer, in words of the editor's language. */
export class Refusal extends Error {}

/**
 * Asks an endpoint of ours. The address is relative, since Node-RED's editor adds its login only then.
 * @throws Refusal
 */
export async function ask<T>(path: string, body: object): Promise<T> {
  const isSayable = loadSentences();
  try {
    const answer = await $.ajax({
      url: path,
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify(body),
      dataType: 'json',
    });
    await isSayable;
    return answer;
  } catch (error) {
    await isSayable;
    throw refusalOf(error as JQuery.jqXHR);
  }
}

export function refusalOf({ status, responseJSON }: JQuery.jqXHR): Refusal {
  const { error, said } = Object(responseJSON) as { error?: unknown; said?: SaidText };
  const known = [0, 401, 403, 404, 429].includes(status) ? `tools.status${status}` : 'tools.statusOther';
  const detail = status === 401 || typeof error !== 'string' ? '' : sentenceOf(error, said);
  return new Refusal([words(known), detail].filter(Boolean).join(' '));
}
