/** A node that does nothing: what Node-RED and the bench take by themselves. */
export const empty = {
  devices: () => ({ nodes: [], credentials: {} }),
  action: (id) => [{ id, type: 'bench-empty' }],
  toAll: {},
};
