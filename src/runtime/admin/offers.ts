import { operation } from '../../catalogue/named';
import type { Device } from '../device/device';
import type { Offer } from './answers';

/** More than these nobody looks through. */
const mostOffered = 2_000;
const longestText = 200;

/** Nobody looks at a menu for longer. */
const limitMs = 5_000;

/** What can be asked for, and what it is made of. Waits behind all messages, like any reading. */
const offers: Readonly<Record<string, (device: Device, folder: string) => Promise<Offer[]>>> = {
  tones: async (device) => texts(listIn(await read(device, 'info/tonelist', {}), 'tonelist')),
  async files(device, folder) {
    const names = listIn(await read(device, 'files/list', { path: folder }), 'filelist');
    return texts(names).map(({ value }) => ({ value: `${folder}/${value}` }));
  },
  async tags(device) {
    const tags = recordsIn(await read(device, 'scheduler/get', {})).map(({ record }) => record.tag);
    return texts([...new Set(tags)].filter((tag) => tag !== ''));
  },
  async groups(device) {
    const { groups } = Object(await read(device, 'scheduler/get', {}));
    return numbered(groups, 'groupid');
  },
  async events(device) {
    const records = recordsIn(await read(device, 'scheduler/get', {}));
    return numbered(
      records.filter(({ isEvent }) => isEvent).map(({ record }) => record),
      'evid',
    );
  },
};

/** Something that a device answered, by its names. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * What a device has of something, for a person to choose from.
 * @returns undefined where there is no such thing to be asked for
 * @throws DeviceError
 */
export async function offersOf(device: Device, what: string, folder: string): Promise<Offer[] | undefined> {
  if (!Object.hasOwn(offers, what)) return undefined;
  return (await offers[what]?.(device, folder))?.slice(0, mostOffered);
}

async function read(
  device: Device,
  name: Parameters<typeof operation>[0],
  parameters: Fields,
): Promise<unknown> {
  const { body } = await device.call(operation(name), parameters, {
    reading: true,
    unwarned: true,
    withinMs: limitMs,
  });
  return body;
}

function listIn(body: unknown, name: string): readonly unknown[] {
  const list: unknown = Object(body)[name];
  return Array.isArray(list) ? list : [];
}

/** The events of the scheduler's database, and its groups: both may have a tag. */
function recordsIn(body: unknown): { isEvent: boolean; record: Fields }[] {
  const groups = listIn(body, 'groups').map((group): Fields => Object(group));
  const events = [...listIn(body, 'events'), ...groups.flatMap((group) => listIn(group, 'events'))];
  return [
    ...groups.map((record) => ({ isEvent: false, record })),
    ...events.map((event) => ({ isEvent: true, record: Object(event) as Fields })),
  ];
}

function texts(values: readonly unknown[]): Offer[] {
  return values.flatMap((value) =>
    typeof value === 'string' ? [{ value: value.slice(0, longestText) }] : [],
  );
}

function numbered(records: unknown, id: string): Offer[] {
  return (Array.isArray(records) ? records : []).flatMap((one) => {
    const { [id]: number, name } = Object(one) as Fields;
    if (typeof number !== 'number') return [];
    return [
      { value: String(number), ...(typeof name === 'string' && { about: name.slice(0, longestText) }) },
    ];
  });
}
