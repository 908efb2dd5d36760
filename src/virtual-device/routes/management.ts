import { integerFrom, nonEmptyText, object, oneOf, optional, portText, required } from '../checks/checks';
import { restoreWords } from '../choices';
import type { Core } from '../core';
import { isAtLeast } from '../product/firmware';
import { all, allExcept } from '../product/models';
import { answer, done } from '../wire/answer';
import { json, nothing } from './readers';
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

export const managementRoutes: readonly Route[] = [
  route({
    route: 'POST /api/settings/action/restore',
    section: '4.2',
    does: 'restore factory defaults',
    firmware: '5.4',
    products: all,
    content: nothing,
    effect({ device }) {
      device.restore();
      return { ...answer({ Restore: restoreWords }), afterwards: 'reboot' };
    },
  }),
  route({
    route: 'POST /api/controls/reboot',
    section: '4.2',
    does: 'reboot',
    firmware: '3.3',
    products: all,
    content: nothing,
    effect: () => ({ ...done, afterwards: 'reboot' }),
  }),
  route({
    route: 'POST /api/controls/reload',
    section: '4.2',
    does: 'reload',
    firmware: '3.3',
    products: all,
    content: nothing,
    effect: () => ({ ...done, afterwards: 'reload' }),
  }),
  route({
    route: 'POST /api/controls/upgrade/check',
    section: '4.2',
    does: 'check for new firmware',
    firmware: '4.1',
    products: all,
    content: nothing,
    effect: ({ device }) => answer({ version: offered(device) ?? 'updated' }),
  }),
  route({
    route: 'POST /api/controls/upgrade/start',
    section: '4.2',
    does: 'upgrade the firmware',
    firmware: '4.1',
    products: all,
    content: nothing,
    effect({ device }) {
      const version = offered(device);
      if (version === undefined) return answer({ status: 'updated', url: '' });
      device.firmware = version;
      const url = `https://firmware.invalid/${device.model.number}-${version}.bin`;
      return { ...answer({ status: `upgrading ${version}`, url }), afterwards: 'reboot' };
    },
  }),
  route({
    route: 'POST /api/state/mcast/update/',
    section: '4.2',
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
