import { readings } from './jobs.mjs';

/** A custom node that signs and sends, over undici or over core's http. */
export function bare(http) {
  return {
    devices: () => ({ nodes: [], credentials: {} }),

    action(id, { method, path, body, content }, targets, addresses) {
      const chosen = targets.map((index) => addresses[index]);
      return [{ id, type: 'bench-bare', http, method, path, body, content, addresses: chosen }];
    },

    toAll: {},

    watch(index, address, seconds) {
      const intervalMs = seconds * 1000;
      return [{ id: `watch${index}`, type: 'bench-bare-watch', http, address, paths: readings, intervalMs }];
    },
  };
}
