import { matching, nonEmptyText, object, optional, required, secondsText, toneName } from '../checks/checks';
import { classes, only } from '../product/models';
import { json } from './readers';
import { type Route, route } from './route';

/** The models that section 4.6 lists for the start of a call. */
const callers = [
  ...['8190', '8190S', '8410', '8420', '8186', '8188', '8189', '8196', '8197', '8198', '8199'],
  ...['8063', '8180', '8301', '8305', '8312'],
];

const dtmf = matching('at most 15 of 0-9 * # A-D and comma', /^[0-9*#A-D,]{1,15}$/);

/** The routes of section 4.6. */
export const callRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/call/start',
    does: 'call an extension and play a tone',
    firmware: '3.3',
    products: only(...callers),
    content: json(
      object({
        extension: required(nonEmptyText),
        tone: required(toneName),
        interval: optional(secondsText),
        maxdur: optional(secondsText),
        dtmf: optional(dtmf, { since: '5.7' }),
      }),
    ),
    change({ device: { keeper }, body }) {
      const seconds = body.maxdur === undefined ? undefined : Number(body.maxdur);
      keeper.setFor('call', body, seconds, 'call ended by itself');
    },
  }),
  route({
    route: 'POST /api/controls/call/stop',
    does: 'end the call',
    firmware: '3.3',
    // A model that can start a call can also end the call (docs/readings.md).
    products: classes(['speaker'], ...callers),
    change: ({ device }) => device.keeper.set('call', null),
  }),
  route({
    route: 'POST /api/controls/call/page',
    does: 'page an extension',
    firmware: '5.3.4',
    products: classes(['speaker']),
    content: json(object({ extension: required(nonEmptyText) })),
    change: ({ device, body }) => device.keeper.set('call', body),
  }),
];
