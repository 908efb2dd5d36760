import type { NodeAPI } from 'node-red';
import { said } from '../../catalogue/saying';
import { wordsOf } from '../../client/errors';
import { answer, answerInParts, guard, guarded, refusalOf } from '../admin/guard';
import type { AdminHandler } from '../later';

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

type Way = keyof typeof permissions;

/** A table of bells, or a calendar, in characters. */
const mostLength = 1024 * 1024;

/**
 * What a scheduler's dialog asks a device, below the editor's address: `POST algo/bells/<id>/look` with
 * `{ operation, parameters }` for what only reads, `…/change` for what does not. The device is one that is deployed,
 * by its id.
 */
export function bellEndpoints(RED: NodeAPI): Readonly<Record<`/algo/bells/:id/${Way}`, AdminHandler>> {
  const serve = (way: Way): AdminHandler =>
    guarded(guard(RED, permissions[way], { mostLength }), ({ params, body }, response) => {
      // Most people never open the dialog.
      import('./admin-answer.js')
        .then(({ answerFor }) => answerFor(RED, way, params, body))
        .then((given) => answerInParts(response, given.status, given.body))
        .catch((error: unknown) => {
          RED.log.error(`[algo-scheduler] ${wordsOf(error)}`);
          answer(response, 500, refusalOf(said('ourFault')));
        });
    });
  return { '/algo/bells/:id/look': serve('look'), '/algo/bells/:id/change': serve('change') };
}
