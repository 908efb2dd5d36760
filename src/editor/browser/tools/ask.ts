import type { LocalizedText } from '../../../runtime/answers';
import { loadSentences, sentenceOf } from '../language/sentences';
export function words(key: string, values?: Readonly<Record<string, string>>): string {
  return RED._(`@openpaging/node-red-algo/device:${key}`, values);
}

/** The error of a failed request to an endpoint. The message is the reason, in the editor's language. */
export class Refusal extends Error {
  /** @param reason the part of the message that Node-RED gave, if any */
  constructor(
    message: string,
    readonly status = 0,
    readonly reason?: string,
  ) {
    super(message);
  }
}

/**
 * The path must be relative, since the editor adds its login only to relative URLs.
 * @throws Refusal if the request failed
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

/** Maximum number of ids in one request, so that the request stays small. */
const maxIds = 500;

/**
 * Sends requests one after the other, each with at most `maxIds` ids; without ids, one request.
 * @throws Refusal if a request failed
 */
export async function askInParts<T>(path: string, ids: readonly string[]): Promise<T[]> {
  const answers: T[] = [];
  for (let done = 0; done === 0 || done < ids.length; done += maxIds)
    answers.push(await ask<T>(path, { ids: ids.slice(done, done + maxIds) }));
  return answers;
}

export function refusalOf({ status, responseJSON }: JQuery.jqXHR): Refusal {
  const { error, localizedMessage } = Object(responseJSON) as {
    error?: unknown;
    localizedMessage?: LocalizedText;
  };
  const known = [0, 401, 403, 404, 429].includes(status) ? `tools.status${status}` : 'tools.statusOther';
  const reason = typeof error === 'string' ? sentenceOf(error, localizedMessage) : undefined;
  const detail = status === 401 ? '' : reason;
  return new Refusal([words(known), detail].filter(Boolean).join(' '), status, reason);
}
