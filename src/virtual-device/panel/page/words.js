const place = document.getElementById('panel-words');

/** The texts of the page in its language. A drawing in another page has no texts and shows none. */
const words = place ? JSON.parse(place.textContent) : {};

/** Returns the text of a key with values instead of `{names}`; a name without a value stays. */
export const say = (key, values = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (name, value) => values[value] ?? name);

/** The language of the page. Texts of the device are in English. */
export const pageLanguage = document.documentElement.lang;
