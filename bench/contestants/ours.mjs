/** Our nodes: a device node for each device, and an action node. */

/** So many messages may wait at a device: as many as any work has. */
const longestQueue = 1_000_000;

const chosenByTag = {
  /** Of time: a device that never answers ends nothing but its own part. */
  hasLimits: true,

  devices(addresses) {
    const nodes = addresses.map((address, index) => ({
      id: `device${index}`,
      type: 'algo-device',
      name: `Device ${index}`,
      address,
      auth: 'standard',
      tags: `all, tag ${index}`,
      queueLimit: longestQueue,
    }));
    return { nodes, credentials: Object.fromEntries(nodes.map(({ id }) => [id, { password: 'algo' }])) };
  },

  /** @param targets indices of devices, one or `all`, or `msg` for those that the message names */
  action(id, { resource, operation, form }, targets) {
    const one = Array.isArray(targets) && targets.length === 1;
    return [
      {
        id,
        type: `algo-${resource}`,
        ...(one ? { target: 'device', device: `device${targets[0]}` } : { target: 'msg' }),
        operation,
        ...(form ? { parametersType: 'form', form } : { parametersType: 'msg', parameters: 'payload' }),
        // A burst may take longer than what sounds is good for by default.
        ttl: '0',
      },
    ];
  },

  /** What a message holds that is for all devices. */
  toAll: { device: 'tag:all' },

  watch(index, _address, seconds) {
    const common = { device: `device${index}`, interval: seconds, initial: true, adaptive: false, misses: 3 };
    return [
      { ...common, id: `status${index}`, type: 'algo-status', outputs: 2 },
      { ...common, id: `relay${index}`, type: 'algo-relay-input', input: 'relay', edge: 'both', outputs: 2 },
    ];
  },
};

/** A group that speaks to all of its devices at once, where 100 at once are the rule. */
const asGroup = {
  ...chosenByTag,

  devices(addresses) {
    const { nodes, credentials } = chosenByTag.devices(addresses);
    const group = { id: 'all', type: 'algo-group', name: 'All', maxParallel: String(addresses.length) };
    return { nodes: [...nodes, { ...group, devices: nodes.map(({ id }) => id) }], credentials };
  },

  toAll: { device: 'group:All' },
};

export const ours = { ...chosenByTag, atOnce: asGroup };
