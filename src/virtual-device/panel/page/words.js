const place = document.getElementById('panel-words');

/** Brought by the page, in its language; a drawing in another page has none, and shows none. */
const words = place ? JSON.parse(place.textContent) : {};

/** What a key says, with values in the place of `{names}`; one that no value is given for stays. */
export const say = (key, values = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (name, value) => values[value] ?? name);

/** The language of the page; what the device says is in English. */
export const pageLanguage = document.documentElement.lang;
