import { decibelText, object, portText, required } from '../checks/checks';
import { testSeconds } from '../choices';
import { allExcept, only } from '../product/models';
import { json } from './readers';
import { type Route, route } from './route';

const noiseProducts = only(
  ...['8190', '8190S', '8516', '8410', '8420', '8186', '8450', '8188', '8189', '8196', '8197', '8198'],
  ...['8199', '8180', '8301', '8305', '8507'],
);

const startProducts = [
  ...['8190', '8190S', '8300', '8039', '8028', '8186', '8373', '8375', '8188', '8189'],
  ...['8196', '8197', '8198', '8199', '8180', '8301', '8305', '8201', '8203'],
  ...['8128', '8138', '8410', '8420'],
];
/**
 * The models of `test/loop`: those of `test/start`, and 8516 and 8507 (section 4.5). The interface document
 * does not list 8516 and 8507 for `test/stop`, but here they can also stop the loop.
 */
const loopProducts = [...startProducts, '8516', '8507'];

/** The routes of section 4.5 that play no file. */
export const audioRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/noise/update',
    does: 'report ambient noise',
    firmware: '5.4',
    products: noiseProducts,
    content: json(object({ level: required(decibelText) })),
    change: ({ device, body }) => device.keeper.set('noiseLevel', body.level),
  }),
  route({
    route: 'POST /api/controls/rx/start',
    does: 'listen to an audio stream',
    firmware: '5.3.4',
    products: allExcept('8450'),
    content: json(object({ port: required(portText) })),
    change: ({ device, body }) => device.keeper.set('rx', body),
  }),
  route({
    route: 'POST /api/controls/rx/stop',
    does: 'stop listening to the audio stream',
    firmware: '5.3.4',
    products: allExcept('8450'),
    change: ({ device }) => device.keeper.set('rx', null),
  }),
  route({
    route: 'POST /api/controls/test/start',
    does: 'play the test once',
    firmware: '5.4',
    products: only(...startProducts),
    change: ({ device }) => device.keeper.setFor('test', 'playing', testSeconds, 'test ended'),
  }),
  route({
    route: 'POST /api/controls/test/loop',
    does: 'loop the test',
    firmware: '5.4',
    products: only(...loopProducts),
    change: ({ device }) => device.keeper.set('test', 'looping'),
  }),
  route({
    route: 'POST /api/controls/test/stop',
    does: 'stop the test',
    firmware: '5.4',
    products: only(...loopProducts),
    change: ({ device }) => device.keeper.set('test', 'stopped'),
  }),
];
