/**
 * Creates an element. Strings become text, never markup. `on…` properties add listeners; `data` and `style`
 * take objects.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'style')
      for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== undefined && child !== null && child !== false),
  );
}

/** Creates an SVG element, with the same arguments as `make`. */
export function draw(tag, properties = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, properties, children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/**
 * Formats a number of seconds in the largest units: `90 s`, `5 min`, `1 h 30 min`, `2 days 3 h`.
 * @param language language of the word for days
 */
export function lasting(seconds, language) {
  const whole = Math.round(seconds);
  const joined = (size, name, rest, restName) => {
    const left = Math.floor((whole % size) / rest);
    return `${name(Math.floor(whole / size))}${left > 0 ? ` ${left} ${restName}` : ''}`;
  };
  if (whole < 120) return `${whole} s`;
  if (whole < 3600) return joined(60, (count) => `${count} min`, 1, 's');
  if (whole < 86400) return joined(3600, (count) => `${count} h`, 60, 'min');
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  return joined(86400, (count) => days.format(count), 3600, 'h');
}
