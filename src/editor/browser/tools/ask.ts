import type { SaidText } from '../../../runtime/answers';
import { loadSentences, sentenceOf } from '../language/sentences';
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

/** More ids than these are asked for in several requests: none of them may be long. */
const maxIds = 500;

/** Asks an endpoint of ours for each part of very many ids, one after the other. Throws as `ask` does. */
export async function askInParts<T>(path: string, ids: readonly string[]): Promise<T[]> {
  const answers: T[] = [];
  for (let done = 0; done === 0 || done < ids.length; done += maxIds)
    answers.push(await ask<T>(path, { ids: ids.slice(done, done + maxIds) }));
  return answers;
}

export function refusalOf({ status, responseJSON }: JQuery.jqXHR): Refusal {
  const { error, said } = Object(responseJSON) as { error?: unknown; said?: SaidText };
  const known = [0, 401, 403, 404, 429].includes(status) ? `tools.status${status}` : 'tools.statusOther';
  const detail = status === 401 || typeof error !== 'string' ? '' : sentenceOf(error, said);
  return new Refusal([words(known), detail].filter(Boolean).join(' '));
}
