import { integerFrom, object, required } from '../checks/checks';
import { classes } from '../product/models';
import { json } from './readers';
import { type Route, route } from './route';

/** Products with device alerts: "All speakers, paging adapters, visual alerters, displays" (section 4.12). */
const emergencyProducts = classes(['speaker', 'paging adapter', 'visual alerter', 'display']);

/** The routes of section 4.12. */
export const emergencyRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/emergency-alert/start',
    does: 'start a device alert',
    firmware: '5.7',
    products: emergencyProducts,
    content: json(object({ announcement: required(integerFrom(1, 10)) })),
    change: ({ device, body }) => device.keeper.set('emergency', body.announcement),
  }),
  route({
    route: 'POST /api/controls/emergency-alert/stop',
    does: 'stop the device alert',
    firmware: '5.7',
    products: emergencyProducts,
    change: ({ device }) => device.keeper.set('emergency', null),
  }),
];
