import { integerFrom, object, required } from '../checks';
import { classes } from '../models';
import { DONE, json, nothing, type Route, route } from '../route';

/** "All speakers, paging adapters, visual alerters, displays". */
const EMERGENCY_PRODUCTS = classes(['speaker', 'paging adapter', 'visual alerter', 'display']);

/** Section 4.12. */
export const EMERGENCY: readonly Route[] = [
  route({
    route: 'POST /api/controls/emergency-alert/start',
    section: '4.12',
    does: 'start an emergency alert',
    firmware: '5.7',
    products: EMERGENCY_PRODUCTS,
    content: json(object({ announcement: required(integerFrom(1, 10)) })),
    effect({ device, body }) {
      device.keeper.set('emergency', body.announcement);
      return DONE;
    },
  }),
  route({
    route: 'POST /api/controls/emergency-alert/stop',
    section: '4.12',
    does: 'stop the emergency alert',
    firmware: '5.7',
    products: EMERGENCY_PRODUCTS,
    content: nothing,
    effect({ device }) {
      device.keeper.set('emergency', null);
      return DONE;
    },
  }),
];
