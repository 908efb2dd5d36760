import { styleText } from 'node:util';

/** Node-RED's log levels. */
const levels = { error: 20, warn: 30, info: 40 };

/**
 * A log for Node-RED's settings that prints messages of nodes, such as the requests of a virtual device, and
 * errors. Node-RED's own messages about its start are not printed.
 * @param {string} [label] name of the Node-RED, if several run
 */
export function demoLog(label) {
  const begin = label ? `${label}  ` : '';
  return {
    level: 'info',
    metrics: false,
    audit: false,
    handler: () => (entry) => {
      const isNode = entry.id !== undefined && entry.type !== 'mqtt-broker';
      if (entry.level > (isNode ? levels.info : levels.error)) return;
      const time = new Date(entry.timestamp).toTimeString().slice(0, 8);
      const source = isNode ? `${entry.name || entry.type}: ` : '';
      const text = `${time}  ${begin}${source}${entry.msg?.message ?? entry.msg}`;
      console.log(entry.level <= levels.warn ? styleText('yellow', text) : text);
    },
  };
}
