import {
  type DeviceTraits,
  flag,
  type ObjectOf,
  object,
  oneOf,
  optional,
  seconds,
  short,
  show,
} from '../checks/checks';
import { classes } from '../product/models';
import { isMpeg, isWave } from '../state/media';
import { playLater } from '../state/playing';
import { done, refuse } from '../wire/answer';
import { type Part, readMultipart } from '../wire/multipart';
import { dependingOn, json, raw } from './readers';
import { type Arrival, type Reader, type Route, route } from './route';
import { multicastState } from './tones';

/**
 * Products that accept uploads: "Speakers, paging adapters, intercoms, visual alerters, displays, clocks"
 * (section 4.5.2).
 */
const uploadProducts = classes(['speaker', 'paging adapter', 'intercom', 'visual alerter', 'display']);

const dataFields = {
  duration: optional(seconds),
  interval: optional(seconds),
  loop: optional(flag),
  mcast: optional(flag),
  playback: optional(oneOf('true', 'false')),
  state: optional(multicastState),
};

interface Upload {
  readonly audio: Buffer;
  readonly data: ObjectOf<typeof dataFields>;
}

const rawUpload: Reader<Upload> = {
  read(arrival, device) {
    const outcome = raw('audio/wav', 'audio/mpeg').read(arrival, device);
    if ('mistakes' in outcome) return outcome;
    const problem = refuseAudio(outcome.value.type, outcome.value.data);
    return problem ? { mistakes: [problem] } : { value: { audio: outcome.value.data, data: {} } };
  },
};

const multipartUpload: Reader<Upload> = {
  read(arrival, device) {
    const parts = readMultipart(arrival.contentType, arrival.content);
    if (typeof parts === 'string') return { mistakes: [parts] };
    const names = parts.map(({ name }) => name);
    const odd = names.find(
      (name, index) => !['tone', 'data'].includes(name) || names.indexOf(name) !== index,
    );
    if (odd !== undefined) return { mistakes: [`the part ${short(odd)} is unknown, or was sent twice`] };
    const tone = parts.find(({ name }) => name === 'tone');
    if (!tone || tone.filename === '') return { mistakes: ['the part tone, a file, is missing'] };
    // The interface document requires the type of the part only for MP3.
    const type = isWave(tone.data) ? 'audio/wav' : tone.type;
    const problem = refuseAudio(type, tone.data);
    if (problem) return { mistakes: [`part tone: ${problem}`] };
    const data = parts.find(({ name }) => name === 'data');
    return data ? readData(data, tone.data, arrival, device) : { value: { audio: tone.data, data: {} } };
  },
};

const isMultipart = ({ contentType }: Arrival): boolean => contentType.startsWith('multipart/');

/**
 * Uploads (section 4.5.2). The answer comes immediately. The device plays the file later, then deletes the
 * file.
 */
export const uploadRoutes: readonly Route[] = [
  route({
    route: 'POST /api/controls/tone/upload-play',
    does: 'play an uploaded file',
    firmware: '5.7',
    products: uploadProducts,
    content: dependingOn(isMultipart, multipartUpload, rawUpload),
    effect({ device, body }) {
      if (device.files.isFull) return refuse('the file manager is full');
      const tone = { path: 'uploaded file', loop: false, ...body.data };
      device.recordings.set(tone, { audio: body.audio, at: device.clock.now() });
      playLater(device.keeper, tone, device.uploadSeconds, body.audio);
      return done;
    },
  }),
];

/** Only WAV, sent as audio/wav, and MP3, sent as audio/mpeg, are supported (section 4.5.2). */
function refuseAudio(type: string, content: Buffer): string | undefined {
  if (isWave(content)) return type === 'audio/wav' ? undefined : `a WAV file is audio/wav, not ${show(type)}`;
  if (isMpeg(content))
    return type === 'audio/mpeg' ? undefined : `an MP3 file is audio/mpeg, not ${show(type)}`;
  return 'the content is neither WAV nor MP3';
}

function readData(
  part: Part,
  audio: Buffer,
  arrival: Arrival,
  device: DeviceTraits,
): ReturnType<Reader<Upload>['read']> {
  const asBody: Arrival = { ...arrival, contentType: part.type, content: part.data };
  const outcome = json(object(dataFields)).read(asBody, device);
  return 'mistakes' in outcome
    ? { mistakes: outcome.mistakes.map((mistake) => `part data: ${mistake}`) }
    : { value: { audio, data: outcome.value } };
}
