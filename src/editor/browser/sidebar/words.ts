/** A text of the sidebar's own locale file. */
export function words(key: string, values?: Readonly<Record<string, string>>): string {
  return RED._(`@openpaging/node-red-algo/algo-forms:${key}`, values);
}

/** What an operation such as `door/lock` is called in the dialog of its node; itself where it is not. */
export const deedWords = once((operation) => {
  const [noun = '', id = ''] = operation.split('/');
  const title = said(`${noun}:operation.${id}.title`);
  return title === undefined ? operation : `${said(`${noun}:noun`) ?? noun}: ${title}`;
});

/** What an outcome or the code of an error is called under a node. */
export const statusWords = once((status) => said(`device:status.${status}`) ?? status);

/** A text of another locale file, of which nobody knows whether it is there: what has no words is its own key. */
function said(place: string): string | undefined {
  const found: unknown = RED._(`@openpaging/node-red-algo/${place}`);
  const isFound = typeof found === 'string' && !place.endsWith(found);
  return isFound ? found : undefined;
}

/** Thousands of rows say the same few things. */
function once(find: (text: string) => string): (text: string) => string {
  const found = new Map<string, string>();
  return (text) => {
    const known = found.get(text) ?? find(text);
    found.set(text, known);
    return known;
  };
}

/** A moment in the editor's language: the time, and the day where it is not today. */
export function momentWords(at: string | undefined, timeStyle: 'short' | 'medium' = 'medium'): string {
  const date = new Date(at ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const isToday = date.toDateString() === new Date().toDateString();
  return format(isToday ? { timeStyle } : { dateStyle: 'short', timeStyle: 'short' }).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than to use it a hundred times. */
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = Object.values(options).join();
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language(), options);
  formats.set(key, known);
  return known;
}

export function numberWords(number: number): string {
  return number.toLocaleString(language());
}

/** The editor's language, as a browser takes it; undefined for one that it does not know. */
export function language(): string | undefined {
  try {
    return Intl.getCanonicalLocales(RED.i18n.lang())[0];
  } catch {
    return undefined;
  }
}
