import createClient, { type Middleware } from 'openapi-fetch';
// Made from openapi.json by the test that compiles this file.
import type { paths } from './generated.js';

type Client = ReturnType<typeof connect>;

/** A client as a stranger makes one. */
export function connect(baseUrl: string, authentication?: Middleware) {
  const client = createClient<paths>({ baseUrl });
  if (authentication) client.use(authentication);
  return client;
}

/** Everything that a display can be asked for in a hurry. */
export async function command(client: Client) {
  const answers = [
    await client.POST('/api/controls/strobe/start', { body: { pattern: 3, color1: 'red', ledlvl: '255' } }),
    await client.POST('/api/controls/screen/start', {
      body: { type: 'template', template: 'announcement', text1: 'Assembly at 10:30' },
    }),
    await client.POST('/api/controls/tone/start', {
      body: { path: 'chime.wav', loop: true, mcast: true, state: { mode: 'sender', type: 'poly', group: 7 } },
    }),
    await client.POST('/api/controls/emergency-alert/start', { body: { announcement: 2 } }),
    await client.POST('/api/controls/emergency-alert/stop'),
    await client.PUT('/api/settings', { body: { 'audio.page.vol': '-12dB' } }),
  ];
  return answers.map(({ response }) => response.status);
}

/** What a device says of itself. */
export async function read(client: Client) {
  const about = await client.GET('/api/info/about');
  const volume = await client.GET('/api/settings/{name}', { params: { path: { name: 'audio.page.vol' } } });
  const tones = await client.GET('/api/info/tonelist');
  const firmware: string | undefined = about.data?.['Firmware Version'];
  const first: string | undefined = tones.data?.tonelist[0];
  return { firmware, first, volume: volume.data?.['audio.page.vol'] };
}

const folder = { filepath: 'tones' };
const file = { ...folder, filename: 'Päusen #1 100%.wav' };
const deeper = { ...folder, subfolder: 'west wing', filename: 'bell?.wav' };

/** Stores two files, the second in a folder within a folder, and reads both back. */
export async function store(client: Client, first: Blob, second: Blob) {
  const raw = {
    bodySerializer: (body: Blob) => body,
    headers: { 'Content-Type': 'application/octet-stream' },
  };
  const puts = [
    await client.PUT('/api/files/{filepath}/{filename}', { params: { path: file }, body: first, ...raw }),
    await client.PUT('/api/files/{filepath}/{subfolder}/{filename}', {
      params: { path: deeper },
      body: second,
      ...raw,
    }),
  ];
  const got = [
    await client.GET('/api/files/{filepath}/{filename}', { params: { path: file }, parseAs: 'text' }),
    await client.GET('/api/files/{filepath}/{subfolder}/{filename}', {
      params: { path: deeper },
      parseAs: 'text',
    }),
    await client.POST('/api/files/download', {
      body: { path: 'tones/west wing/bell?.wav' },
      parseAs: 'text',
    }),
  ];
  const sums = [
    await client.GET('/api/file-md5sum/{filepath}/{filename}', { params: { path: file } }),
    await client.GET('/api/file-md5sum/{filepath}/{subfolder}/{filename}', { params: { path: deeper } }),
  ];
  const listed = await client.GET('/api/files/{filepath}', { params: { path: folder } });
  const inFolder = await client.GET('/api/files/{filepath}/{filename}', {
    params: { path: { ...folder, filename: 'west wing' } },
  });
  return {
    statuses: puts.map(({ response }) => response.status),
    contents: got.map(({ data }) => data),
    sums: sums.map(({ data }) => data?.md5sum),
    listed: listed.data?.filelist,
    inFolder: inFolder.data,
  };
}

/** Deletes the file that is not in the folder within the folder. */
export async function remove(client: Client) {
  const { response } = await client.DELETE('/api/files/', { body: { path: `tones/${file.filename}` } });
  return response.status;
}

/** Makes an event, reads the calendar and one of its days. */
export async function schedule(client: Client) {
  const made = await client.POST('/api/schedules', {
    body: {
      events: [
        {
          event_type: 'play_tone',
          name: 'Morning bell',
          audio: 'chime.wav',
          start_date: '2099-09-01',
          start_time: '08:00',
          rrule: 'FREQ=DAILY;COUNT=3',
          color: '#ff8800',
        },
      ],
    },
  });
  const all = await client.GET('/api/schedules');
  const day = await client.GET('/api/schedules', { params: { query: { events: '2099-09-02', days: 1 } } });
  const evid: number | undefined = made.data?.events?.[0]?.evid;
  const everything = all.data && 'groups' in all.data ? all.data.events : [];
  const names: (string | undefined)[] | undefined = everything?.map(({ name }) => name);
  return { evid, names, day: day.data };
}

/** Plays a sound that is on no device, with how to play it beside it. */
export async function uploadAndPlay(client: Client, tone: Blob) {
  const data = { loop: true, duration: 30 };
  const form = new FormData();
  form.append('tone', tone, 'sound.wav');
  form.append('data', new Blob([JSON.stringify(data)], { type: 'application/json' }));
  const { response } = await client.POST('/api/controls/tone/upload-play', {
    body: { tone, data },
    bodySerializer: () => form,
  });
  return response.status;
}

/** What the types of the document do not let through. Never called. */
export async function mistakes(client: Client) {
  const light = { color1: 'red', ledlvl: '255' } as const;
  // @ts-expect-error a pattern's name is not what the wire takes
  await client.POST('/api/controls/strobe/start', { body: { ...light, pattern: 'slow' } });
  // @ts-expect-error a door needs its name
  await client.POST('/api/controls/door/lock', { body: {} });
  // @ts-expect-error a folder and a file are two parameters
  await client.GET('/api/files/{filepath}/{filename}', { params: { path: { filepath: 'tones/chime.wav' } } });
  // @ts-expect-error there is no such operation
  await client.POST('/api/controls/door/open', { body: { doorid: 'local' } });
  const { data } = await client.GET('/api/info/tonelist');
  // @ts-expect-error a list of names, not one
  const tones: string | undefined = data?.tonelist;
  return tones;
}
