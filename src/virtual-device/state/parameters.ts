import { isIP } from 'node:net';
import {
  type Check,
  decibelText,
  isPort,
  matching,
  oneOf,
  secondsText,
  text,
  textThat,
} from '../checks/checks';
import { factoryPassword, settingNames } from '../choices';

interface Parameter {
  readonly factory: string;
  readonly form: Check<string>;
}

/** The check of a parameter's value; most parameters accept any text. */
export const settingValue: Check<string> = (value, name, device) =>
  (parameters.get(name)?.form ?? text)(value, name, device);

export function factorySettings(): Map<string, string> {
  return new Map([...parameters].map(([name, { factory }]) => [name, factory]));
}

const volume = matching(
  'a level from "-45dB" to "0dB" in steps of 3',
  /^(?:0|-(?:3|6|9|12|15|18|21|24|27|30|33|36|39|42|45))dB$/,
);
const gain = textThat('a level from "-27dB" to "6dB"', (value) => {
  const level = /^(-?\d{1,2})dB$/.exec(value)?.[1] ?? '7';
  return Number(level) >= -27 && Number(level) <= 6;
});
const toggle = oneOf('0', '1');
const slot = matching('a whole number from 1 to 50', /^(?:[1-9]|[1-4]\d|50)$/);

/** `ip:port`, or empty for an unused zone. */
const zone = textThat('an address and a port such as "224.0.2.60:50002"', (value) => {
  const colon = value.lastIndexOf(':');
  return value === '' || (isIP(value.slice(0, colon)) > 0 && isPort(value.slice(colon + 1)));
});

const maxZones = 50;
const firstZone = '224.0.2.60:50002';

/**
 * Parameters in the interface document or in docs/field-notes.md section 5, with plausible factory values.
 */
const parameters: ReadonlyMap<string, Parameter> = new Map(
  Object.entries<Parameter>({
    'admin.timezone': { factory: 'GMT', form: text },
    [settingNames.interfaceEnabled]: { factory: '1', form: toggle },
    [settingNames.method]: { factory: '0', form: oneOf('0', '1', '-1') },
    [settingNames.password]: { factory: factoryPassword, form: text },
    [settingNames.tolerance]: { factory: '30', form: secondsText },
    'audio.input.gain': { factory: '0dB', form: gain },
    'audio.mic.mute': { factory: '0', form: toggle },
    'audio.noise.max': { factory: '0dB', form: volume },
    'audio.noise.use': { factory: '1', form: toggle },
    'audio.page.vol': { factory: '-18dB', form: volume },
    'audio.ring.vol': { factory: '-18dB', form: volume },
    'audio.vol.spk': { factory: '-18dB', form: decibelText },
    'dp.dest': { factory: '', form: text },
    'mcast.mode': { factory: '0', form: oneOf('0', '1', '2') },
    'mcast.tx.fixed': { factory: '1', form: slot },
    ...zones(),
    'net.time1': { factory: '0.pool.ntp.org', form: text },
    'sip.proxy': { factory: '', form: text },
    'sip.proxy.webui': { factory: '', form: text },
    'sip.u1.auth': { factory: '', form: text },
    'sip.u1.dname': { factory: '', form: text },
    'sip.u1.pwd': { factory: '', form: text },
    'sip.u1.user': { factory: '', form: text },
  }),
);

function zones(): Record<string, Parameter> {
  const numbers = Array.from({ length: maxZones }, (_, index) => index + 1);
  const entries = numbers.map((number) => [
    `mcast.zone${number}`,
    { factory: number === 1 ? firstZone : '', form: zone },
  ]);
  return Object.fromEntries(entries);
}
