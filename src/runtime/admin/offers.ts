import { operation } from '../../catalogue/operation-name';
import { DeviceError } from '../../client/errors';
import type { Offers, Suggestion } from '../answers';
import type { Device } from '../device/device';

const maxOffers = 2_000;
const maxTextLength = 200;

const imageFolder = 'images';

/** Time limit of a request, in milliseconds. Short, since a user is waiting for the menu. */
const limitMs = 5_000;

const maxDevicesAsked = 3;

/**
 * The lists that a dialog can request. The requests have the priority of polls, so messages go first. The
 * lists `settings` and `folders` send no request, but come from earlier responses.
 */
const offers: Readonly<Record<string, (device: Device, folder: string) => Promise<Suggestion[]>>> = {
  tones: async (device) => texts(listIn(await read(device, 'info/tonelist', {}), 'tonelist')),
  async files(device, folder) {
    const names = await filesIn(device, folder);
    return names.map(({ value }) => ({ value: `${folder}/${value}` }));
  },
  images: (device) => filesIn(device, imageFolder),
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
  settings: async ({ status }) => texts(status.answered?.settings ?? []),
  folders: async ({ status }) => texts(status.answered?.folders ?? []),
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asks the devices that `likely` selects. Returns the first success in the order of the devices; if there is
 * no success, the first error.
 */
export async function offersOf(
  devices: readonly Device[],
  what: string,
  folder: string,
): Promise<Offers | undefined> {
  const find = Object.hasOwn(offers, what) ? offers[what] : undefined;
  if (!find) return undefined;
  const found = await Promise.all(
    likely(devices).map(async (device): Promise<Offers> => {
      const of = device.name;
      try {
        return { offers: (await find(device, folder)).slice(0, maxOffers), of };
      } catch (error) {
        if (!(error instanceof DeviceError)) throw error;
        const missing = error.statusCode === 404 ? folderOf(what, folder) : undefined;
        const why = { code: error.code, sentence: error.message, localizedMessage: error.localizedMessage };
        return { offers: [], of, ...why, ...(missing !== undefined && { missing }) };
      }
    }),
  );
  return found.find(({ code }) => code === undefined) ?? found[0];
}

function folderOf(what: string, folder: string): string | undefined {
  if (what === 'images') return imageFolder;
  return what === 'files' ? folder : undefined;
}

/**
 * Returns the first online device. If no device is known to be online, returns up to `maxDevicesAsked`
 * devices: first devices whose state is unknown, then offline devices.
 */
function likely(devices: readonly Device[]): readonly Device[] {
  const known = devices.map((device) => ({ device, reachable: device.record.reachable }));
  const isThere = known.find(({ reachable }) => reachable);
  if (isThere) return [isThere.device];
  const unknown = known.filter(({ reachable }) => reachable === undefined);
  const away = known.filter(({ reachable }) => reachable === false);
  return [...unknown, ...away].slice(0, maxDevicesAsked).map(({ device }) => device);
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

async function filesIn(device: Device, folder: string): Promise<Suggestion[]> {
  return texts(listIn(await read(device, 'files/list', { path: folder }), 'filelist'));
}

function listIn(body: unknown, name: string): readonly unknown[] {
  const list: unknown = Object(body)[name];
  return Array.isArray(list) ? list : [];
}

function recordsIn(body: unknown): { isEvent: boolean; record: Fields }[] {
  const groups = listIn(body, 'groups').map((group): Fields => Object(group));
  const events = [...listIn(body, 'events'), ...groups.flatMap((group) => listIn(group, 'events'))];
  return [
    ...groups.map((record) => ({ isEvent: false, record })),
    ...events.map((event) => ({ isEvent: true, record: Object(event) as Fields })),
  ];
}

function texts(values: readonly unknown[]): Suggestion[] {
  return values.flatMap((value) =>
    typeof value === 'string' ? [{ value: value.slice(0, maxTextLength) }] : [],
  );
}

function numbered(records: unknown, id: string): Suggestion[] {
  return (Array.isArray(records) ? records : []).flatMap((one) => {
    const { [id]: number, name } = Object(one) as Fields;
    if (typeof number !== 'number') return [];
    return [
      { value: String(number), ...(typeof name === 'string' && { about: name.slice(0, maxTextLength) }) },
    ];
  });
}
