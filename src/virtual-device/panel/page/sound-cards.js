import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';
import { say } from './words.js';

export const tone = {
  id: 'tone',
  title: say('sound.title'),
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
    const idle = say(isTesting ? 'sound.test' : upload ? 'sound.ready' : 'sound.silent');
    const words = playing ? playing.path : idle;
    const detail = playing ? toneDetail(playing) : isTesting ? say(`sound.tests.${test}`) : '';
    return {
      words,
      look: playing || isTesting ? 'active' : upload ? 'warn' : 'calm',
      parts: [
        icon(icons.sound),
        make('p', { class: 'detail' }, detail),
        ...countdown(end, say('sound.end')),
        ...countdown(start, say('sound.start')),
        make(
          'p',
          { class: 'heard' },
          sounding ? say(sounding.address ? 'sound.heard.recording' : 'sound.heard.stand-in') : '',
        ),
      ],
      hasListen: true,
    };
  },
};

function toneDetail({ loop, mcast, playback, state }) {
  const place = [state?.address, state?.port].filter(Boolean).join(':');
  return [
    say(loop ? 'sound.loop' : 'sound.once'),
    mcast ? say(place ? 'sound.multicastTo' : 'sound.multicast', { place }) : '',
    playback === 'false' ? say('sound.notHere') : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export const call = {
  id: 'call',
  title: say('call.title'),
  isThere: ({ operations }) => has(operations, '/call/'),
  of: ({ state, deadlines }) => [state.call, deadlines['end of call']],
  draw: ([state, deadline]) => ({
    words: state ? say(state.tone ? 'call.calling' : 'call.page', state) : say('call.idle'),
    look: state ? 'active' : 'calm',
    parts: [
      icon(icons.phone),
      make(
        'p',
        { class: 'detail' },
        [state?.tone, state?.dtmf && say('call.digits', state)].filter(Boolean).join(', '),
      ),
      ...countdown(deadline, say('sound.end')),
    ],
  }),
};

export const emergency = {
  id: 'emergency',
  title: say('emergency.title'),
  isThere: ({ operations }) => has(operations, '/emergency-alert/'),
  of: ({ state }) => [state.emergency],
  draw: ([number]) => ({
    words: number === null ? say('emergency.none') : say('emergency.on', { number }),
    look: number === null ? 'calm' : 'alarm',
    parts: [icon(icons.alert)],
  }),
};

export const streams = {
  id: 'streams',
  title: say('streams.title'),
  isThere: ({ operations }) => has(operations, '/rx/'),
  of: ({ state }) => [state.rx, state.multicast, state.noiseLevel],
  draw: ([rx, multicast, noise]) => ({
    words: rx ? say('streams.open', rx) : say('streams.none'),
    look: rx ? 'active' : 'calm',
    parts: [
      icon(icons.stream),
      make(
        'p',
        { class: 'detail' },
        [
          multicast && say('sound.multicastTo', { place: `${multicast.address}:${multicast.port}` }),
          say('streams.noise', { noise }),
        ]
          .filter(Boolean)
          .join(', '),
      ),
    ],
  }),
};
