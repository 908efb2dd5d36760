import { countdown, has, icon, icons } from './card-parts.js';
import { make } from './dom.js';

/** What listening gives. */
export const heardWords = {
  recording: '“Listen” plays the device’s own file.',
  'stand-in': '“Listen” plays a stand-in: the maker’s recordings are on real devices only.',
  undecoded: 'This browser cannot play the device’s own file, so “Listen” plays a stand-in.',
};

export const tone = {
  id: 'tone',
  title: 'Sound',
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
    const words = playing ? playing.path : isTesting ? 'Test' : upload ? 'Getting ready' : 'Silent';
    const detail = playing ? toneDetail(playing) : isTesting ? test : '';
    return {
      words,
      look: playing || isTesting ? 'active' : upload ? 'warn' : 'calm',
      parts: [
        icon(icons.sound),
        make('p', { class: 'detail' }, detail),
        ...countdown(end, 'ends in {time}'),
        ...countdown(start, 'uploaded file plays in {time}'),
        make(
          'p',
          { class: 'heard' },
          sounding ? heardWords[sounding.address ? 'recording' : 'stand-in'] : '',
        ),
      ],
      hasListen: true,
    };
  },
};

function toneDetail({ loop, mcast, playback, state }) {
  const where = [state?.address, state?.port].filter(Boolean).join(':');
  return [
    loop ? 'again and again' : 'once',
    mcast ? `multicast${where ? ` to ${where}` : ''}` : '',
    playback === 'false' ? 'not heard here' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

export const call = {
  id: 'call',
  title: 'Call',
  isThere: ({ operations }) => has(operations, '/call/'),
  of: ({ state, deadlines }) => [state.call, deadlines['end of call']],
  draw: ([state, deadline]) => ({
    words: state ? `${state.tone ? 'Calling' : 'Page to'} ${state.extension}` : 'Idle',
    look: state ? 'active' : 'calm',
    parts: [
      icon(icons.phone),
      make(
        'p',
        { class: 'detail' },
        [state?.tone, state?.dtmf && `digits ${state.dtmf}`].filter(Boolean).join(', '),
      ),
      ...countdown(deadline, 'ends in {time}'),
    ],
  }),
};

export const emergency = {
  id: 'emergency',
  title: 'Emergency alert',
  isThere: ({ operations }) => has(operations, '/emergency-alert/'),
  of: ({ state }) => [state.emergency],
  draw: ([number]) => ({
    words: number === null ? 'None' : `On: no. ${number}`,
    look: number === null ? 'calm' : 'alarm',
    parts: [icon(icons.alert)],
  }),
};

export const streams = {
  id: 'streams',
  title: 'Streams',
  isThere: ({ operations }) => has(operations, '/rx/'),
  of: ({ state }) => [state.rx, state.multicast, state.noiseLevel],
  draw: ([rx, multicast, noise]) => ({
    words: rx ? `Port ${rx.port} open` : 'None',
    look: rx ? 'active' : 'calm',
    parts: [
      icon(icons.stream),
      make(
        'p',
        { class: 'detail' },
        [multicast && `multicast to ${multicast.address}:${multicast.port}`, `noise ${noise}`]
          .filter(Boolean)
          .join(', '),
      ),
    ],
  }),
};
