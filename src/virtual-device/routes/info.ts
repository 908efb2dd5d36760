import { notMeasured } from '../choices';
import { all, allExcept, classes, only } from '../product/models';
import { answer } from '../wire/answer';
import { nothing } from './readers';
import { aboutRecord, statusRecord } from './records';
import { type Route, route } from './route';

/**
 * Products that report a noise level: "All speakers, 8450". The adapters whose level can be set are included,
 * because section 4.5 says "verify by reading".
 */
const noiseReaders = classes(['speaker', 'console'], '8301', '8305');

export const infoRoutes: readonly Route[] = [
  route({
    route: 'GET /api/info/tonelist',
    section: '4.1',
    does: 'list the tones',
    firmware: '5.0',
    products: all,
    content: nothing,
    effect: ({ device }) => answer({ tonelist: device.files.tones }),
  }),
  route({
    route: 'GET /api/info/status',
    section: '4.1',
    does: 'read the status',
    firmware: '5.4',
    products: all,
    content: nothing,
    effect: ({ device }) => answer(statusRecord(device)),
  }),
  route({
    route: 'GET /api/info/about',
    section: '4.1',
    does: 'read the identity',
    firmware: '5.4',
    products: all,
    content: nothing,
    effect: ({ device }) => answer(aboutRecord(device)),
  }),
  route({
    route: 'GET /api/info/input.relay.status',
    section: '4.1',
    does: 'read the relay input',
    firmware: '3.3',
    products: allExcept('8450'),
    content: nothing,
    effect: ({ device }) => answer({ 'input.relay.status': device.keeper.state.inputs.relay }),
  }),
  route({
    route: 'GET /api/info/input.relay1.status',
    section: '4.1',
    does: 'read relay input 1',
    firmware: '4.1',
    products: only('8063'),
    content: nothing,
    effect: ({ device }) => answer({ 'input.relay1.status': device.keeper.state.inputs.relay1 }),
  }),
  route({
    route: 'GET /api/info/input.relay2.status',
    section: '4.1',
    does: 'read relay input 2',
    firmware: '4.1',
    products: only('8063'),
    content: nothing,
    effect: ({ device }) => answer({ 'input.relay2.status': device.keeper.state.inputs.relay2 }),
  }),
  route({
    route: 'GET /api/info/audio.noise.level',
    section: '4.1',
    does: 'read the noise level',
    firmware: '3.3',
    products: noiseReaders,
    content: nothing,
    effect({ device: { settings, keeper } }) {
      const isMeasured = settings.get('audio.noise.use') === '1';
      return answer({ 'audio.noise.level': isMeasured ? keeper.state.noiseLevel : notMeasured });
    },
  }),
];
