import { object, required, seconds } from '../checks/checks';
import { only } from '../product/models';
import type { StateKeeper } from '../state/state';
import { done } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

const relayProducts = only('8063');

export const relayRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/24v/enable',
    section: '4.7',
    does: 'switch the 24 V output on',
    firmware: '5.0',
    products: relayProducts,
    content: nothing,
    effect({ device }) {
      device.keeper.set('aux24v', 'enabled');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/24v/disable',
    section: '4.7',
    does: 'switch the 24 V output off',
    firmware: '5.0',
    products: relayProducts,
    content: nothing,
    effect({ device }) {
      device.keeper.set('aux24v', 'disabled');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/relay/enable',
    section: '4.7',
    does: 'switch the relay on',
    firmware: '5.0',
    products: relayProducts,
    content: nothing,
    effect({ device }) {
      turn(device.keeper, 'enabled');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/relay/menable',
    section: '4.7',
    does: 'pulse the relay',
    firmware: '5.6',
    products: relayProducts,
    content: json(object({ duration: required(seconds) })),
    effect({ device: { keeper }, body }) {
      turn(keeper, 'enabled');
      keeper.plan('end of relay', body.duration, () => turn(keeper, 'disabled'), 'relay switched off again');
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/relay/disable',
    section: '4.7',
    does: 'switch the relay off',
    firmware: '5.0',
    products: relayProducts,
    content: nothing,
    effect({ device }) {
      turn(device.keeper, 'disabled');
      return done;
    },
  }),
];

function turn(keeper: StateKeeper, state: 'enabled' | 'disabled'): void {
  keeper.cancel('end of relay');
  keeper.set('relay', state);
}
