import { integerFrom, nonEmptyText, object, oneOf, optional, portText, required } from '../checks/checks';
import { restoreWords } from '../choices';
import type { Core } from '../core';
import { isAtLeast, versionAfter } from '../product/firmware';
import { all, allExcept } from '../product/models';
import { answer, done } from '../wire/answer';
import { json } from './readers';
import { type Route, route } from './route';

const multicastUpdate = object(
  {
    mode: required(oneOf('sender')),
    address: required(nonEmptyText),
    port: required(portText),
    type: required(oneOf('rtp', 'poly')),
    group: optional(integerFrom(1, 25)),
  },
  ({ type, group }) => (group !== undefined && type !== 'poly' ? 'group is only for type poly' : undefined),
);

/** The routes of section 4.2. */
export const managementRoutes: readonly Route[] = [
  route({
    route: 'POST /api/settings/action/restore',
    does: 'restore factory defaults',
    firmware: '5.4',
    products: all,
    effect({ device }) {
      device.restore();
      return { ...answer({ Restore: restoreWords }), afterwards: 'reboot' };
    },
  }),
  route({
    route: 'POST /api/controls/reboot',
    does: 'reboot',
    firmware: '3.3',
    products: all,
    effect: () => ({ ...done, afterwards: 'reboot' }),
  }),
  route({
    route: 'POST /api/controls/reload',
    does: 'reload',
    firmware: '3.3',
    products: all,
    effect: () => ({ ...done, afterwards: 'reload' }),
  }),
  route({
    route: 'POST /api/controls/upgrade/check',
    does: 'check for new firmware',
    firmware: '4.1',
    products: all,
    effect: ({ device }) => answer({ version: offered(device) ?? 'updated' }),
  }),
  route({
    route: 'POST /api/controls/upgrade/start',
    does: 'upgrade the firmware',
    firmware: '4.1',
    products: all,
    effect({ device }) {
      const { keepsFirmware } = device;
      const version = offered(device) ?? (keepsFirmware ? versionAfter(device.firmware) : undefined);
      if (version === undefined) return answer({ status: 'updated', url: '' });
      if (!keepsFirmware) device.firmware = version;
      const url = `https://firmware.invalid/${device.model.number}-${version}.bin`;
      return { ...answer({ status: `upgrading ${version}`, url }), afterwards: 'reboot' };
    },
  }),
  route({
    route: 'POST /api/state/mcast/update/',
    does: 'change the multicast stream',
    firmware: '5.0',
    products: allExcept('8450'),
    content: json(multicastUpdate),
    effect({ device, body }) {
      device.keeper.set('multicast', body);
      return done;
    },
  }),
];

function offered({ firmware, newFirmware }: Core): string | undefined {
  return newFirmware === undefined || isAtLeast(firmware, newFirmware) ? undefined : newFirmware;
}
