import { styleText } from 'node:util';

/** Node-RED's log levels. */
const levels = { error: 20, warn: 30, info: 40 };

/**
 * A log for Node-RED's settings that leaves the terminal to what matters here: what nodes say, such as a
 * virtual device about a request, and errors. Node-RED's own account of its start is not shown.
 * @param {string} [label] whose log it is, where there are several
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
