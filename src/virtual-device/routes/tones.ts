import {
  type Check,
  type DeviceTraits,
  flag,
  integerFrom,
  nonEmptyText,
  type ObjectOf,
  object,
  oneOf,
  optional,
  portText,
  required,
  seconds,
  toneName,
} from '../checks/checks';
import { isAtLeast } from '../product/firmware';
import { classes } from '../product/models';
import { forgetUpload, play } from '../state/playing';
import { dependingOn, json } from './readers';
import { type Arrival, nothing, type Route, route } from './route';

/** Products that play tones: "All speakers, paging adapters, 8028(G2), 8201, 8203, 8039" (section 4.5.1). */
const toneProducts = classes(['speaker', 'paging adapter'], '8028', '8201', '8203', '8039');

/**
 * The models that play tones or uploads: a model that plays only uploads must be able to stop uploads
 * (section 4.5).
 */
const stopProducts = classes(['speaker', 'paging adapter', 'intercom', 'visual alerter', 'display']);

const multicastFields = {
  mode: optional(oneOf('sender')),
  address: optional(nonEmptyText),
  port: optional(portText),
  type: optional(oneOf('poly', 'rtp')),
  group: optional(integerFrom(1, 25)),
};

/** The check of `state` (section 4.5.1); only the type poly has a `group`. */
export const multicastState: Check<ObjectOf<typeof multicastFields>> = object(multicastFields, (state) =>
  state.group !== undefined && state.type !== 'poly' ? 'state.group is only for type poly' : undefined,
);

const toneFields = {
  path: required(toneName),
  loop: required(flag),
  duration: optional(seconds, { since: '5.7' }),
  interval: optional(seconds),
  mcast: optional(flag),
  playback: optional(oneOf('true', 'false')),
  state: optional(multicastState),
};

const toneBody = object(toneFields, (body, device) => {
  const names = (['mcast', 'playback', 'state'] as const).filter((name) => body[name] !== undefined);
  return refuseMulticast(names, device);
});

const oldStop = json(object({ path: required(nonEmptyText) }));
const stopsWithPath = (_: Arrival, { firmware }: DeviceTraits): boolean => !isAtLeast(firmware, '5.5');

/** The routes of sections 4.5 and 4.5.1. */
export const toneRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/tone/start',
    does: 'play a tone',
    firmware: '5.4',
    products: toneProducts,
    content: json(toneBody),
    change: ({ device, body }) => play(device.keeper, body, device.audioOf(body.path)),
  }),
  route({
    route: 'POST /api/controls/tone/stop',
    does: 'stop the tone',
    firmware: '3.3',
    products: stopProducts,
    content: dependingOn(stopsWithPath, oldStop, nothing),
    change({ device: { keeper }, body }) {
      if (body === undefined || body.path === keeper.state.tone?.path) keeper.set('tone', null);
      if (body === undefined) forgetUpload(keeper);
    },
  }),
];

/** "Firmware 5.5 and earlier: 8301 only" covers every version before 5.6. */
function refuseMulticast(names: readonly string[], { model, firmware }: DeviceTraits): string | undefined {
  if (names.length === 0 || model.number === '8301' || isAtLeast(firmware, '5.6')) return undefined;
  return `${names.join(', ')}: before firmware 5.6 only the 8301 has it`;
}
