/** What is measured, with its unit. `compared` says that its ratio to the base is shown. */
export const cpuMetric = { key: 'cpu', title: 'CPU', unit: 'µs', compared: true };
export const failuresMetric = { key: 'failures', title: 'failures', unit: '' };
export const holdMetric = { key: 'hold', title: 'longest hold of the event loop', unit: 'ms' };
