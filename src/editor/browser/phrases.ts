import type { Say } from '../../catalogue/phrases';

/** The phrases of the editor's language, by the lookup of a node that has operations. */
export function sayWith(translate: Translate): Say {
  return (phrase, values) => translate(`phrase.${phrase}`, values);
}
