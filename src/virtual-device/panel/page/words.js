const container = document.getElementById('panel-words');

/** The texts of the page in its language; empty on a page of the editor, which uses only the drawings. */
const words = container ? JSON.parse(container.textContent) : {};

/** Returns the text of a key, with values instead of `{names}`. A name that has no value stays unchanged. */
export const translate = (key, values = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (name, value) => values[value] ?? name);

/** The language of the page. Texts of the device are always English. */
export const pageLanguage = document.documentElement.lang;
