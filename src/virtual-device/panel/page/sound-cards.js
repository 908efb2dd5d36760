import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';
import { translate } from './words.js';

export const tone = {
  id: 'tone',
  title: translate('sound.title'),
  isThere: ({ operations }) => has(operations, '/tone/') || has(operations, '/test/'),
  draw({ state: { tone: playing, test, upload }, deadlines, sound: sounding }) {
    const end = deadlines['end of tone'] ?? deadlines['end of test'];
    const isTesting = test !== 'stopped';
    const idle = translate(isTesting ? 'sound.test' : upload ? 'sound.ready' : 'sound.silent');
    const words = playing ? playing.path : idle;
    const detail = playing ? toneDetail(playing) : isTesting ? translate(`sound.tests.${test}`) : '';
    return {
      words,
      look: playing || isTesting ? 'active' : upload ? 'warn' : 'calm',
      parts: [
        icon(icons.sound),
        make('p', { class: 'detail' }, detail),
        ...countdown(end, translate('sound.end')),
        ...countdown(deadlines['start of upload'], translate('sound.start')),
        make(
          'p',
          { class: 'heard' },
          sounding ? translate(sounding.address ? 'sound.heard.recording' : 'sound.heard.stand-in') : '',
        ),
      ],
      hasListen: true,
    };
  },
};

function toneDetail({ loop, mcast, playback, state }) {
  const place = [state?.address, state?.port].filter(Boolean).join(':');
  return [
    translate(loop ? 'sound.loop' : 'sound.once'),
    mcast ? translate(place ? 'sound.multicastTo' : 'sound.multicast', { place }) : '',
    playback === 'false' ? translate('sound.notHere') : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export const call = {
  id: 'call',
  title: translate('call.title'),
  isThere: ({ operations }) => has(operations, '/call/'),
  draw: ({ state: { call: running }, deadlines }) => ({
    words: running ? translate(running.tone ? 'call.calling' : 'call.page', running) : translate('call.idle'),
    look: running ? 'active' : 'calm',
    parts: [
      icon(icons.phone),
      make(
        'p',
        { class: 'detail' },
        [running?.tone, running?.dtmf && translate('call.digits', running)].filter(Boolean).join(', '),
      ),
      ...countdown(deadlines['end of call'], translate('sound.end')),
    ],
  }),
};

export const emergency = {
  id: 'emergency',
  title: translate('emergency.title'),
  isThere: ({ operations }) => has(operations, '/emergency-alert/'),
  draw: ({ state: { emergency: number } }) => ({
    words: number === null ? translate('emergency.none') : translate('emergency.on', { number }),
    look: number === null ? 'calm' : 'alarm',
    parts: [icon(icons.alert)],
  }),
};

export const streams = {
  id: 'streams',
  title: translate('streams.title'),
  isThere: ({ operations }) => has(operations, '/rx/'),
  draw: ({ state: { rx, multicast, noiseLevel: noise } }) => ({
    words: rx ? translate('streams.open', rx) : translate('streams.none'),
    look: rx ? 'active' : 'calm',
    parts: [
      icon(icons.stream),
      make(
        'p',
        { class: 'detail' },
        [
          multicast && translate('sound.multicastTo', { place: `${multicast.address}:${multicast.port}` }),
          translate('streams.noise', { noise }),
        ]
          .filter(Boolean)
          .join(', '),
      ),
    ],
  }),
};
