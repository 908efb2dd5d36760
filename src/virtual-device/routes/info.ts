import { all } from '../models';
import { aboutRecord, statusRecord } from '../records';
import { answer, nothing, type Route, route } from '../route';

/** Section 4.1: what the device says about itself. */
export const INFO: readonly Route[] = [
  route({
    route: 'GET /api/info/tonelist',
    section: '4.1',
    does: 'list the tones',
    firmware: '5.0',
    products: all,
    content: nothing,
    effect: ({ device }) => answer({ tonelist: device.toneNames() }),
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
    does: 'read what the device is',
    firmware: '5.4',
    products: all,
    content: nothing,
    effect: ({ device }) => answer(aboutRecord(device)),
  }),
];
