import { dictionary, matching } from '../checks/checks';
import { httpStatus, notMeasured } from '../choices';
import { all, allExcept, classes, only } from '../product/models';
import { settingValue } from '../state/parameters';
import { answer, refuse } from '../wire/answer';
import { json } from './readers';
import { aboutRecord, statusRecord } from './records';
import { type Route, route } from './route';

/**
 * Products that report a noise level: "All speakers, 8450". The adapters whose level can be set are included,
 * because section 4.5 says "verify by reading".
 */
const noiseReaders = classes(['speaker', 'console'], '8301', '8305');

/** A dotted name such as audio.page.vol (section 2.1). */
const parameterName = matching('a dotted name such as audio.page.vol', /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/);

/** The routes of section 4.1: what the device is, and its settings. */
export const infoRoutes: readonly Route[] = [
  route({
    route: 'GET /api/settings/{name}',
    does: 'read a setting',
    firmware: '3.3',
    products: all,
    effect({ device, captures: { name = '' } }) {
      const value = device.settings.get(name);
      if (value === undefined)
        return refuse(`there is no setting ${JSON.stringify(name)}`, httpStatus.notFound);
      return answer({ [name]: value });
    },
  }),
  route({
    route: 'PUT /api/settings',
    does: 'write settings',
    firmware: '3.3',
    products: all,
    content: json(dictionary(parameterName, settingValue)),
    effect({ device, body }) {
      for (const [name, value] of Object.entries(body)) device.settings.set(name, value);
      return { status: httpStatus.settingsWritten };
    },
  }),
  route({
    route: 'GET /api/info/tonelist',
    does: 'list the tones',
    firmware: '5.0',
    products: all,
    effect: ({ device }) => answer({ tonelist: device.files.tones }),
  }),
  route({
    route: 'GET /api/info/status',
    does: 'read the status',
    firmware: '5.4',
    products: all,
    effect: ({ device }) => answer(statusRecord(device)),
  }),
  route({
    route: 'GET /api/info/about',
    does: 'read the identity',
    firmware: '5.4',
    products: all,
    effect: ({ device }) => answer(aboutRecord(device)),
  }),
  route({
    route: 'GET /api/info/input.relay.status',
    does: 'read the relay input',
    firmware: '3.3',
    products: allExcept('8450'),
    effect: ({ device }) => answer({ 'input.relay.status': device.keeper.state.inputs.relay }),
  }),
  route({
    route: 'GET /api/info/input.relay1.status',
    does: 'read relay input 1',
    firmware: '4.1',
    products: only('8063'),
    effect: ({ device }) => answer({ 'input.relay1.status': device.keeper.state.inputs.relay1 }),
  }),
  route({
    route: 'GET /api/info/input.relay2.status',
    does: 'read relay input 2',
    firmware: '4.1',
    products: only('8063'),
    effect: ({ device }) => answer({ 'input.relay2.status': device.keeper.state.inputs.relay2 }),
  }),
  route({
    route: 'GET /api/info/audio.noise.level',
    does: 'read the noise level',
    firmware: '3.3',
    products: noiseReaders,
    effect({ device: { settings, keeper } }) {
      const isMeasured = settings.get('audio.noise.use') === '1';
      return answer({ 'audio.noise.level': isMeasured ? keeper.state.noiseLevel : notMeasured });
    },
  }),
];
