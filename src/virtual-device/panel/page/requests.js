import { byId, lasting, make } from './dom.js';
import { pageLanguage, translate } from './words.js';

/**
 * Maximum number of rows for reads, and for other requests. The limits are separate, so that the reads of a
 * watched device do not displace its commands.
 */
const maxRows = 200;
const kinds = ['.read', ':not(.read)'];

const inEnglish = (words) => make('span', { lang: 'en' }, words);

export function startRequests(list) {
  const filter = /** @type {HTMLInputElement} */ (byId('only-refused'));

  const withoutReads = /** @type {HTMLInputElement} */ (byId('without-reads'));

  const limit = () => {
    for (const kind of kinds) {
      for (const row of [...list.querySelectorAll(`:scope > ${kind}`)].slice(maxRows)) row.remove();
    }
    const reads = list.querySelectorAll(':scope > .read').length;
    byId('read-count').textContent = reads > 0 ? `(${reads})` : '';
    byId('no-requests').hidden = list.children.length > 0;
  };

  /** Creates a row. The details are created when the user opens the row. */
  function item(entry) {
    const row = 'target' in entry ? sentRow(entry) : receivedRow(entry);
    const whole = make('details', {}, make('summary', {}, summary(entry, row)));
    const open = () => whole.append(make('div', { class: 'details' }, row.details()));
    whole.addEventListener('toggle', open, { once: true });
    return make('li', { class: `${row.kind} ${row.look}` }, whole);
  }

  function add(entries) {
    list.prepend(...entries.slice(-maxRows).map(item).reverse());
    limit();
  }

  const show = () => {
    list.classList.toggle('only-refused', filter.checked);
    list.classList.toggle('without-reads', withoutReads.checked);
  };
  filter.addEventListener('change', show);
  withoutReads.addEventListener('change', show);
  show();
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
    /** Adds a note above the requests, about an action of the device itself. */
    note(words, at) {
      list.prepend(
        make('li', { class: 'note' }, make('time', { datetime: at }, at.slice(11, 19)), inEnglish(words)),
      );
      limit();
    },
  };
}

function summary({ at }, { look, result, what, path }) {
  return [
    make('time', { datetime: at }, at.slice(11, 19)),
    make('span', { class: `outcome ${look}` }, result),
    make('span', { class: 'what' }, what),
    make('code', { class: 'path' }, path),
  ];
}

/** The row of a request that the device sent. */
function sentRow({ event, method, target, path, outcome, status, reason }) {
  const cause = event === undefined ? translate('outgoing.sent') : translate('outgoing.sentFor', { event });
  return {
    kind: 'sent',
    look: outcome !== 'answered' ? 'failed' : status < 300 ? 'done' : 'refused',
    result: [status, translate(`outgoing.outcome.${outcome}`)].filter(Boolean).join(' '),
    what: ['→ ', cause],
    path: `${method} ${target}${path}`,
    details: () => [reasonPart(reason), make('p', { class: 'detail' }, translate('outgoing.hidden'))],
  };
}

function receivedRow(entry) {
  const { method, path, operation, status, outcome, parameters, reason, fault, signature } = entry;
  const given = parameters === undefined ? '' : ` ${JSON.stringify(parameters)}`;
  const line = `${method} ${path}`;
  return {
    kind: method === 'GET' && outcome === 'done' ? 'read' : 'received',
    look: outcome,
    result: `${status || translate('requests.noAnswer')} ${translate(`requests.outcome.${outcome}`)}`,
    what: [inEnglish(operation || line), fault ? ' ⚡' : ''],
    path: line + given,
    details: () => [
      reasonPart(reason),
      fault ? make('p', {}, translate('requests.struck'), ' ', inEnglish(`${fault}.`)) : undefined,
      signature ? explain(signature) : undefined,
      parameters === undefined
        ? make('p', { class: 'detail' }, translate('requests.noBody'))
        : make('pre', {}, JSON.stringify(parameters, null, 2)),
    ],
  };
}

const reasonPart = (reason) => (reason ? make('p', { class: 'reason', lang: 'en' }, reason) : undefined);

function explain(signature) {
  const { expected, implied, finding, signed, md5 } = signature;
  const given = signed ?? implied;
  const [wanted, actual] = compare(expected[0], given);
  const isSame = md5.sent === md5.actual;
  return make(
    'div',
    { class: 'signature' },
    make('h3', {}, translate('signature.title')),
    finding
      ? make('p', { class: 'finding' }, translate('signature.found'), ' ', inEnglish(`${finding}.`))
      : undefined,
    make(
      'dl',
      {},
      row(translate('signature.expected'), make('code', {}, wanted)),
      expected.slice(1).map((other) => row(translate('signature.or'), make('code', {}, other))),
      row(translate(signed ? 'signature.signed' : 'signature.implied'), make('code', {}, actual)),
      row(translate('signature.clocks'), clockWords(signature)),
      md5.sent || !isSame
        ? row(translate('signature.md5'), md5Words(md5.sent, isSame), ' ', make('code', {}, md5.actual))
        : undefined,
    ),
    finding || given !== expected[0] ? undefined : make('p', {}, translate('signature.password')),
  );
}

/** Returns two texts in which the part that differs is marked. */
function compare(wanted, given) {
  let start = 0;
  while (start < wanted.length && wanted[start] === given[start]) start += 1;
  let end = 0;
  const maxSame = Math.min(wanted.length, given.length) - start;
  while (end < maxSame && wanted.at(-1 - end) === given.at(-1 - end)) end += 1;
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
  if (clockDifference === undefined) return translate('signature.noDate');
  const away = Math.abs(clockDifference);
  const verdict = translate(away < tolerance ? 'signature.tolerated' : 'signature.tooFar', { tolerance });
  if (away === 0) return translate('signature.agree');
  const time = lasting(away, pageLanguage);
  return translate(clockDifference > 0 ? 'signature.ahead' : 'signature.behind', { time, verdict });
}

function md5Words(sent, isSame) {
  if (sent === '') return translate('signature.md5Missing');
  return isSame ? translate('signature.md5Right') : translate('signature.md5Other', { sent });
}
