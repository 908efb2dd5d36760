export const text = (value: string) => ({ type: 'str', value });

/**
 * The first tab, the one that the editor shows. It draws no nodes of other tabs, and an open dialog of one of
 * many nodes takes a sixth less of the processor.
 */
export const emptyTab = { id: 'empty tab', type: 'tab', label: 'Empty' };

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
