import { readFileSync } from 'node:fs';
import path from 'node:path';
import { translated } from '../../catalogue/translated';
import type { DeviceError } from '../../client/errors';

type Texts = Readonly<Record<string, string>>;

const textsOfLanguages = new Map<string, Texts | undefined>();

/**
 * Returns the reason of an error in the language of Node-RED; in English if that language lacks the reason.
 * @param language a language of `locales`; any other text means English
 */
export function reasonIn(language: string, { fault, reason }: Pick<DeviceError, 'fault' | 'reason'>): string {
  const texts = textsIn(language);
  if (!texts) return reason;
  const text = (phrase: string) => (Object.hasOwn(texts, phrase) ? texts[phrase] : undefined);
  return translated(fault.reason, { text }) ?? reason;
}

/** The build writes the texts of each language but English to `resources`, where the editor gets them too. */
function textsIn(language: string): Texts | undefined {
  if (!/^[a-z]{2}$/.test(language)) return undefined;
  if (!textsOfLanguages.has(language)) textsOfLanguages.set(language, read(language));
  return textsOfLanguages.get(language);
}

function read(language: string): Texts | undefined {
  const folder = path.resolve(__dirname, '../../../../resources');
  try {
    return JSON.parse(readFileSync(path.join(folder, `algo-sentences-${language}.json`), 'utf8')) as Texts;
  } catch {
    return undefined;
  }
}
