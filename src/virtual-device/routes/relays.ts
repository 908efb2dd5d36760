import { object, required, seconds } from '../checks/checks';
import { only } from '../product/models';
import { json } from './readers';
import { type Route, route } from './route';

const relayProducts = only('8063');

/** The routes of section 4.7. */
export const relayRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/24v/enable',
    does: 'switch the 24 V output on',
    firmware: '5.0',
    products: relayProducts,
    change: ({ device }) => device.keeper.set('aux24v', 'enabled'),
  }),
  route({
    route: 'POST /api/controls/24v/disable',
    does: 'switch the 24 V output off',
    firmware: '5.0',
    products: relayProducts,
    change: ({ device }) => device.keeper.set('aux24v', 'disabled'),
  }),
  route({
    route: 'POST /api/controls/relay/enable',
    does: 'switch the relay on',
    firmware: '5.0',
    products: relayProducts,
    change: ({ device }) => device.keeper.set('relay', 'enabled'),
  }),
  route({
    route: 'POST /api/controls/relay/menable',
    does: 'pulse the relay',
    firmware: '5.6',
    products: relayProducts,
    content: json(object({ duration: required(seconds) })),
    change: ({ device, body }) =>
      device.keeper.setFor('relay', 'enabled', body.duration, 'relay switched off again'),
  }),
  route({
    route: 'POST /api/controls/relay/disable',
    does: 'switch the relay off',
    firmware: '5.0',
    products: relayProducts,
    change: ({ device }) => device.keeper.set('relay', 'disabled'),
  }),
];
