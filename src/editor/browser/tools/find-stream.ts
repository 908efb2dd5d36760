import type { FindLine } from '../../../runtime/answers';
import { Refusal, refusalOf, words } from './ask';

export interface Running {
  stop(): void;
  /**
   * Resolves when the search ends: to true if the search is complete, to false if the user stopped the
   * search. Rejects with a Refusal if the search could not start or was interrupted.
   */
  readonly ended: Promise<boolean>;
}

/** @param onLine receives each line of the answer as soon as the line arrives */
export function startSearch(range: string, onLine: (line: FindLine) => void): Running {
  let [read, isWhole, isStopped] = [0, false, false];
  const take = (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    for (const line of text.slice(read, end).split('\n').filter(Boolean)) {
      const parsedLine = JSON.parse(line) as FindLine;
      if (parsedLine.ended) isWhole = true;
      onLine(parsedLine);
    }
    read = Math.max(read, end);
  };
  const onprogress = ({ target }: ProgressEvent) => {
    const { status, responseText } = target as XMLHttpRequest;
    if (status === 200 && !isStopped) take(responseText);
  };
  const asked = $.ajax({
    url: 'algo/find',
    method: 'POST',
    contentType: 'application/json',
    data: JSON.stringify({ range }),
    dataType: 'text',
    xhrFields: { onprogress } as object,
  });
  const finish = (text: string) => {
    take(text);
    if (!isWhole) throw new Refusal(words('find.broken'));
    return true;
  };
  const fail = (failed: JQuery.jqXHR) => {
    if (!isStopped) throw whyNot(failed);
    return false;
  };
  return {
    stop() {
      isStopped = true;
      asked.abort();
    },
    ended: Promise.resolve(asked.then(finish, fail)),
  };
}

function whyNot(failed: JQuery.jqXHR): Refusal {
  const { status, responseText } = failed;
  const responseJSON = parsed(responseText);
  const { reason } = Object(responseJSON) as { reason?: unknown };
  if (typeof reason === 'string') return new Refusal(words(`find.refused.${reason}`));
  if (status === 200) return new Refusal(words('find.broken'));
  return refusalOf({ status, responseJSON: responseJSON } as JQuery.jqXHR);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
