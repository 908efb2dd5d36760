import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';
import { translate } from './words.js';

export const tone = {
  id: 'tone',
  title: translate('sound.title'),
  isThere: ({ operations }) => has(operations, '/tone/') || has(operations, '/test/'),
  of: ({ state, deadlines, sound }) => [
    state.tone,
    state.test,
    state.upload,
    deadlines['end of tone'] ?? deadlines['end of test'],
    deadlines['start of upload'],
    sound,
  ],
  draw([playing, test, upload, end, start, sounding]) {
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
        ...countdown(start, translate('sound.start')),
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
  of: ({ state, deadlines }) => [state.call, deadlines['end of call']],
  draw: ([state, deadline]) => ({
    words: state ? translate(state.tone ? 'call.calling' : 'call.page', state) : translate('call.idle'),
    look: state ? 'active' : 'calm',
    parts: [
      icon(icons.phone),
      make(
        'p',
        { class: 'detail' },
        [state?.tone, state?.dtmf && translate('call.digits', state)].filter(Boolean).join(', '),
      ),
      ...countdown(deadline, translate('sound.end')),
    ],
  }),
};

export const emergency = {
  id: 'emergency',
  title: translate('emergency.title'),
  isThere: ({ operations }) => has(operations, '/emergency-alert/'),
  of: ({ state }) => [state.emergency],
  draw: ([number]) => ({
    words: number === null ? translate('emergency.none') : translate('emergency.on', { number }),
    look: number === null ? 'calm' : 'alarm',
    parts: [icon(icons.alert)],
  }),
};

export const streams = {
  id: 'streams',
  title: translate('streams.title'),
  isThere: ({ operations }) => has(operations, '/rx/'),
  of: ({ state }) => [state.rx, state.multicast, state.noiseLevel],
  draw: ([rx, multicast, noise]) => ({
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
