import createClient from 'openapi-fetch';
// Made from openapi.json by the test that compiles this file.
import type { paths } from './generated.js';

const client = createClient<paths>({ baseUrl: 'https://192.0.2.1' });

/** Requests that devices accept. Never called. */
export async function requests(tone: Blob) {
  await client.POST('/api/controls/strobe/start', { body: { pattern: 3, color1: 'red', ledlvl: '255' } });
  await client.POST('/api/controls/screen/start', {
    body: { type: 'template', template: 'announcement', text1: 'Assembly at 10:30' },
  });
  await client.POST('/api/controls/tone/start', {
    body: { path: 'chime.wav', loop: true, mcast: true, state: { mode: 'sender', type: 'poly', group: 7 } },
  });
  await client.POST('/api/controls/emergency-alert/start', { body: { announcement: 2 } });
  await client.POST('/api/controls/emergency-alert/stop');
  await client.PUT('/api/settings', { body: { 'audio.page.vol': '-12dB' } });
  await client.GET('/api/settings/{name}', { params: { path: { name: 'audio.page.vol' } } });
  const folder = { filepath: 'tones', subfolder: 'west wing' };
  await client.PUT('/api/files/{filepath}/{subfolder}/{filename}', {
    params: { path: { ...folder, filename: 'bell?.wav' } },
    body: tone,
  });
  await client.POST('/api/files/download', { body: { path: 'tones/west wing/bell?.wav' }, parseAs: 'text' });
  await client.POST('/api/controls/tone/upload-play', {
    body: { tone, data: { loop: true, duration: 30 } },
    bodySerializer: () => new FormData(),
  });
  await client.GET('/api/schedules', { params: { query: { events: '2099-09-02', days: 1 } } });
}

/** Answers of devices, by their types. Never called. */
export async function answers() {
  const about = await client.GET('/api/info/about');
  const tones = await client.GET('/api/info/tonelist');
  const file = { filepath: 'tones', filename: 'chime.wav' };
  const sum = await client.GET('/api/file-md5sum/{filepath}/{filename}', { params: { path: file } });
  const listed = await client.GET('/api/files/{filepath}', { params: { path: { filepath: 'tones' } } });
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
  const everything = all.data && 'groups' in all.data ? all.data.events : [];
  const texts: (string | undefined)[] = [
    about.data?.['Firmware Version'],
    tones.data?.tonelist[0],
    sum.data?.md5sum,
    listed.data?.filelist[0],
    everything?.[0]?.name,
  ];
  const evid: number | undefined = made.data?.events?.[0]?.evid;
  return { texts, evid };
}

/** What the types of the document do not let through. Never called. */
export async function mistakes() {
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
