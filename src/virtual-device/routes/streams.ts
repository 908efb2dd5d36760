import { decibelText, object, portText, required } from '../checks/checks';
import { allExcept, only } from '../product/models';
import { done } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

const noiseProducts = only(
  ...['8190', '8190S', '8516', '8410', '8420', '8186', '8450', '8188', '8189', '8196', '8197', '8198'],
  ...['8199', '8180', '8301', '8305', '8507'],
);

export const streamRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/noise/update',
    section: '4.5',
    does: 'report ambient noise',
    firmware: '5.4',
    products: noiseProducts,
    content: json(object({ level: required(decibelText) })),
    effect({ device, body }) {
      device.keeper.set('noiseLevel', body.level);
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/rx/start',
    section: '4.5',
    does: 'listen to an audio stream',
    firmware: '5.3.4',
    products: allExcept('8450'),
    content: json(object({ port: required(portText) })),
    effect({ device, body }) {
      device.keeper.set('rx', body);
      return done;
    },
  }),
  route({
    route: 'POST /api/controls/rx/stop',
    section: '4.5',
    does: 'stop listening to the audio stream',
    firmware: '5.3.4',
    products: allExcept('8450'),
    content: nothing,
    effect({ device }) {
      device.keeper.set('rx', null);
      return done;
    },
  }),
];
