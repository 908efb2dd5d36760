import { words } from './ask';

const errorsPage = 'https://github.com/openpaging/node-red-algo/blob/main/docs/errors.md';

/** Shows a sentence, with a link to the help about its error if there is one. */
export function sayWithHelp(status: JQuery, sentence: string, code?: string): void {
  status.text(sentence);
  if (code !== undefined) status.append(' ', errorHelp(code));
}

export function errorHelp(code: string): JQuery {
  const link = $('<a class="algo-link" target="_blank" rel="noopener noreferrer">');
  return link
    .attr('href', `${errorsPage}#${code.toLowerCase()}`)
    .append($('<i class="fa fa-external-link" aria-hidden="true">'), ` ${words('test.errorHelp', { code })}`);
}
