import type { NodeAPI } from 'node-red';
import { wordsOf } from '../../client/errors';
import { type AdminHandler, guard } from '../admin/guard';

/** A dialog asks whenever something is pressed; a person presses less often. */
const usual = { most: 60, withinMs: 60_000 };

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

/**
 * What a scheduler's dialog asks a device, below the editor's address: `POST algo/bells/<id>/look` with
 * `{ operation, parameters }` for what only reads, `…/change` for what does not. The device is one that is deployed,
 * by its id.
 */
export function serveBells(RED: NodeAPI): void {
  for (const [way, permission] of Object.entries(permissions)) {
    const answer: AdminHandler = (request, response) => {
      // Most people never open the dialog.
      import('./admin-answer.js')
        .then(({ answerFor }) =>
          answerFor(RED, way as keyof typeof permissions, request.params, request.body),
        )
        .then(({ status, body }) => response.status(status).json(body))
        .catch((error: unknown) => {
          RED.log.error(`[algo-scheduler] ${wordsOf(error)}`);
          response.status(500).json({ error: 'Something went wrong; the log of Node-RED has more.' });
        });
    };
    // Those who only want to know the types of a node bring no server.
    RED.httpAdmin?.post(`/algo/bells/:id/${way}`, ...guard(RED, permission, usual), answer);
  }
}
