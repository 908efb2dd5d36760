import type { NodeAPI } from 'node-red';
import { said } from '../../catalogue/saying';
import { wordsOf } from '../../client/errors';
import { type AdminHandler, answer, guard, type RouteHandler, refusalOf } from '../admin/guard';

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

/**
 * What a scheduler's dialog asks a device, below the editor's address: `POST algo/bells/<id>/look` with
 * `{ operation, parameters }` for what only reads, `…/change` for what does not. The device is one that is deployed,
 * by its id.
 */
export function serveBells(RED: NodeAPI): void {
  // Those who only want to know the types of a node bring no server.
  if (!RED.httpAdmin) return;
  for (const [way, permission] of Object.entries(permissions)) {
    const serve: AdminHandler = ({ params, body }, response) => {
      // Most people never open the dialog.
      import('./admin-answer.js')
        .then(({ answerFor }) => answerFor(RED, way as keyof typeof permissions, params, body))
        .then((given) => answer(response, given.status, given.body))
        .catch((error: unknown) => {
          RED.log.error(`[algo-scheduler] ${wordsOf(error)}`);
          answer(response, 500, refusalOf(said('ourFault')));
        });
    };
    const handlers = [guard(RED, permission), serve] as unknown as RouteHandler[];
    RED.httpAdmin.post(`/algo/bells/:id/${way}`, ...handlers);
  }
}
