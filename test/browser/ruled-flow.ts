export const text = (value: string) => ({ type: 'str', value });

export const device = {
  id: 'device',
  type: 'algo-device',
  name: 'Hall',
  address: '192.0.2.10',
  auth: 'none',
  certificate: 'verify',
  timeout: 10,
};

/** What a node has in common with others on its tab that send what their form says to the device. */
export const byForm = {
  ...{ z: 'tab', x: 200, y: 200, name: '', target: 'device', device: 'device', group: '', wires: [[]] },
  ...{ parametersType: 'form', parameters: 'payload' },
};

/** A form that breaks a rule across fields: a strobe is to flash, in no color. */
export const ruled = {
  ...byForm,
  ...{ id: 'ruled', type: 'algo-screen', operation: 'start' },
  form: { type: text('template'), template: text('reminder'), strobeFlash: text('slow') },
};
