import { wordsOf } from '../../client/errors';
import { type AdminHandler, type AdminRequest, answer } from './guard';

/** Makes a handler of what works out an answer. Whatever it throws becomes a 500, and nothing escapes. */
export function answering(
  work: (request: AdminRequest) => Promise<object | undefined>,
  missing: string,
): AdminHandler {
  return (request, response) => {
    work(request)
      .then((found) => (found ? answer(response, 200, found) : answer(response, 404, { error: missing })))
      .catch((fault: unknown) =>
        answer(response, 500, { error: `A fault in this package: ${wordsOf(fault)}` }),
      );
  };
}
