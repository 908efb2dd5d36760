import { integerFrom, object, required } from '../checks/checks';
import { classes } from '../product/models';
import { done } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

/** Products with device alerts: "All speakers, paging adapters, visual alerters, displays" (section 4.12). */
const emergencyProducts = classes(['speaker', 'paging adapter', 'visual alerter', 'display']);

export const emergencyRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/emergency-alert/start',
    section: '4.12',
    does: 'start a device alert',
    firmware: '5.7',
    products: emergencyProducts,
    content: json(object({ announcement: required(integerFrom(1, 10)) })),
    effect({ device, body }) {
      device.keeper.set('emergency', body.announcement);
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/emergency-alert/stop',
    section: '4.12',
    does: 'stop the device alert',
    firmware: '5.7',
    products: emergencyProducts,
    content: nothing,
    effect({ device }) {
      device.keeper.set('emergency', null);
      return done;
    },
  }),
];
