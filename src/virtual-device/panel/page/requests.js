import { byId, make } from './dom.js';

const mostRows = 200;

/** The list of requests, newest first; each opens to say why it went as it did. */
export function startRequests(list) {
  const filter = /** @type {HTMLInputElement} */ (byId('only-refused'));

  const limit = () => {
    while (list.children.length > mostRows) list.lastElementChild.remove();
    byId('no-requests').hidden = list.children.length > 0;
  };

  /** What is behind a row is made when it is opened. */
  function item(entry) {
    const whole = make('details', {}, make('summary', {}, summary(entry)));
    whole.addEventListener('toggle', () => whole.append(details(entry)), { once: true });
    return make('li', { class: entry.outcome }, whole);
  }

  function add(entries) {
    list.prepend(...entries.slice(-mostRows).map(item).reverse());
    limit();
  }

  filter.addEventListener('change', () => list.classList.toggle('only-refused', filter.checked));
  byId('clear-requests').addEventListener('click', () => {
    list.replaceChildren();
    limit();
  });
  return {
    add,
    replace(entries) {
      list.replaceChildren();
      add(entries);
    },
    /** What the device did by itself stands between the requests. */
    note(words, at) {
      list.prepend(
        make(
          'li',
          { class: 'note' },
          make('time', { datetime: at }, at.slice(11, 19)),
          make('span', {}, words),
        ),
      );
      limit();
    },
  };
}

function summary(entry) {
  const { at, method, path, operation, status, outcome, parameters, fault } = entry;
  const given = parameters === undefined ? '' : JSON.stringify(parameters);
  return [
    make('time', { datetime: at }, at.slice(11, 19)),
    make('span', { class: `outcome ${outcome}` }, `${status || 'no answer'} ${outcome}`),
    make('span', { class: 'what' }, operation || `${method} ${path}`, fault ? ' ⚡' : ''),
    make('code', { class: 'path' }, `${method} ${path}`, given && ` ${given}`),
  ];
}

function details({ parameters, reason, fault, signature }) {
  return make(
    'div',
    { class: 'details' },
    reason ? make('p', { class: 'reason' }, reason) : undefined,
    fault ? make('p', {}, `Struck by a fault: ${fault}.`) : undefined,
    signature ? explain(signature) : undefined,
    parameters === undefined
      ? make('p', { class: 'detail' }, 'No body.')
      : make('pre', {}, JSON.stringify(parameters, null, 2)),
  );
}

function explain(signature) {
  const { expected, implied, finding, signed, md5 } = signature;
  const given = signed ?? implied;
  const [wanted, came] = compare(expected[0], given);
  const isSame = md5.sent === md5.actual;
  return make(
    'div',
    { class: 'signature' },
    make('h3', {}, 'Why the signature was refused'),
    finding ? make('p', { class: 'finding' }, `Found it: ${finding}.`) : undefined,
    make(
      'dl',
      {},
      row('Should have been signed', make('code', {}, wanted)),
      expected.slice(1).map((other) => row('or', make('code', {}, other))),
      row(signed ? 'Was signed' : 'The headers say', make('code', {}, came)),
      row('Clocks', clockWords(signature)),
      md5.sent || !isSame
        ? row(
            "Body's MD5",
            md5.sent === '' ? 'no Content-MD5 came; it is ' : isSame ? 'right: ' : `${md5.sent} came; it is `,
            md5.actual ? make('code', {}, md5.actual) : 'unknown: the body was not taken in',
          )
        : undefined,
    ),
    finding || given !== expected[0]
      ? undefined
      : make(
          'p',
          {},
          'The headers are right. So the password is wrong, or another text was signed than they say.',
        ),
  );
}

/** The two texts with what differs in the middle marked. */
function compare(wanted, given) {
  let start = 0;
  while (start < wanted.length && wanted[start] === given[start]) start += 1;
  let end = 0;
  const most = Math.min(wanted.length, given.length) - start;
  while (end < most && wanted.at(-1 - end) === given.at(-1 - end)) end += 1;
  const parts = (text) => {
    const middle = text.slice(start, text.length - end);
    return [text.slice(0, start), middle && make('mark', {}, middle), text.slice(text.length - end)];
  };
  return [parts(wanted), parts(given)];
}

function row(label, ...content) {
  return [make('dt', {}, label), make('dd', {}, content)];
}

function clockWords({ clockDifference, tolerance }) {
  if (clockDifference === undefined) return 'The Date header is missing or cannot be read.';
  const away = Math.abs(clockDifference);
  const side = clockDifference > 0 ? 'ahead of' : 'behind';
  const verdict = away < tolerance ? 'which is tolerated' : `too far: less than ${tolerance} s is tolerated`;
  return away === 0 ? 'The clocks agree.' : `The request is ${away} s ${side} this device, ${verdict}.`;
}
