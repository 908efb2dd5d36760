import { nonEmptyText, object, oneOf, required } from '../checks/checks';
import { buttonEvent, httpStatus, stoppedWords } from '../choices';
import type { Core } from '../core';
import { only } from '../product/models';
import type { ConsoleEventType } from '../state/state';
import { answer, done, refuse } from '../wire/answer';
import { json } from './readers';
import { type Route, route } from './route';

const consoleProducts = only('8450');
const selector = oneOf('all', 'emergency', 'nonEmergency', 'call', 'pageMic', 'pageTone');

export function pressButton({ keeper, buttons }: Core, id: string): string | undefined {
  if (buttons && !Object.hasOwn(buttons, id)) return `no button is called ${id}`;
  const type = buttons?.[id] ?? buttonEvent;
  keeper.set('console', [...keeper.state.console.filter((event) => event.type !== type), { type }]);
  return undefined;
}

/** The routes of section 4.11. */
export const consoleRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/console/button/activate',
    does: 'press a console button',
    firmware: '5.6',
    products: consoleProducts,
    content: json(object({ id: required(nonEmptyText) })),
    effect({ device, body }) {
      const problem = pressButton(device, body.id);
      return problem === undefined ? done : refuse(problem);
    },
  }),
  route({
    route: 'POST /api/controls/console/event/stop',
    does: 'stop console events',
    firmware: '5.6',
    products: consoleProducts,
    content: json(object({ type: required(selector) })),
    effect({ device: { keeper }, body }) {
      const before = keeper.state.console;
      const left = before.filter(({ type }) => !isMeant(body.type, type));
      keeper.set('console', left);
      const data = Buffer.from(stoppedWords(before.length - left.length));
      return { status: httpStatus.success, content: { type: 'text/plain', data } };
    },
  }),
  route({
    route: 'GET /api/console/event/status',
    does: 'read the active console events',
    firmware: '5.6',
    products: consoleProducts,
    effect: ({ device }) => answer({ active: device.keeper.state.console }),
  }),
];

function isMeant(wanted: string, type: ConsoleEventType): boolean {
  if (wanted === 'all') return true;
  return wanted === 'nonEmergency' ? type !== 'emergency' : type === wanted;
}
