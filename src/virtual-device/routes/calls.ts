import { matching, nonEmptyText, object, optional, required, secondsText, toneName } from '../checks/checks';
import { classes, only } from '../product/models';
import type { StateKeeper } from '../state/state';
import { done } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

/** The models that section 4.6 lists for the start of a call. */
const callers = [
  ...['8190', '8190S', '8410', '8420', '8186', '8188', '8189', '8196', '8197', '8198', '8199'],
  ...['8063', '8180', '8301', '8305', '8312'],
];

const dtmf = matching('at most 15 of 0-9 * # A-D and comma', /^[0-9*#A-D,]{1,15}$/);

export const callRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/call/start',
    section: '4.6',
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
    effect({ device: { keeper }, body }) {
      keeper.cancel('end of call');
      keeper.set('call', body);
      if (body.maxdur !== undefined)
        keeper.plan('end of call', Number(body.maxdur), () => hangUp(keeper), 'call ended by itself');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/call/stop',
    section: '4.6',
    does: 'end the call',
    firmware: '3.3',
    // A model that can start a call can also end the call (docs/readings.md).
    products: classes(['speaker'], ...callers),
    content: nothing,
    effect({ device }) {
      hangUp(device.keeper);
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/call/page',
    section: '4.6',
    does: 'page an extension',
    firmware: '5.3.4',
    products: classes(['speaker']),
    content: json(object({ extension: required(nonEmptyText) })),
    effect({ device: { keeper }, body }) {
      keeper.cancel('end of call');
      keeper.set('call', body);
      return done;
    },
  }),
];

function hangUp(keeper: StateKeeper): void {
  keeper.cancel('end of call');
  keeper.set('call', null);
}
