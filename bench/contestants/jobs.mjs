/**
 * What is asked of devices. `body` is the same for each message; without one it comes with the message, as JSON
 * (`content: 'json'`) or as the bytes of a file (`content: 'file'`).
 */
export const tone = {
  resource: 'tone',
  operation: 'start',
  method: 'POST',
  path: '/api/controls/tone/start',
  body: { path: 'chime.wav', loop: false },
  form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } },
};

/** Unlike a tone it may be sent twice, so it may go over a connection that was idle for a while. */
export const receive = {
  resource: 'audio',
  operation: 'rx-start',
  method: 'POST',
  path: '/api/controls/rx/start',
  body: { port: 5004 },
  form: { port: { type: 'num', value: '5004' } },
};

export const emergency = {
  resource: 'emergency',
  operation: 'start',
  method: 'POST',
  path: '/api/controls/emergency-alert/start',
  body: { announcement: 1 },
  form: { announcement: { type: 'num', value: '1' } },
};

export const schedule = {
  resource: 'scheduler',
  operation: 'apply',
  method: 'POST',
  path: '/api/schedules',
  content: 'json',
};

export const file = {
  resource: 'files',
  operation: 'put',
  method: 'PUT',
  path: '/api/files/tones/long.wav',
  content: 'file',
};

/** What is read again and again. */
export const readings = ['/api/info/status', '/api/info/input.relay.status'];

const text = (value) => ({ type: 'str', value });
/** The three actions of an alert. */
export const actions = [
  {
    operation: 'strobe/start',
    form: { pattern: text('slow'), color1: text('red'), ledlvl: text('high') },
  },
  { operation: 'screen/text-start', form: { textContent: text('LOCKDOWN') } },
  { operation: 'tone/start', form: { path: text('chime.wav'), loop: { type: 'bool', value: 'true' } } },
];
