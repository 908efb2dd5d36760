/** The nodes that come with Node-RED: a function node that signs, and an http request node. */
import { readings } from './jobs.mjs';

const sign = `const timestamp = Math.floor(Date.now() / 1000);
const nonce = crypto.randomBytes(16).toString('hex');
const sign = (input) => crypto.createHmac('sha256', 'algo').update(input).digest('hex');
const headers = (digest) => ({
  Date: new Date(timestamp * 1000).toUTCString(),
  Authorization: 'hmac admin:' + nonce + ':' + digest,
});
`;

const types = { json: 'application/json', file: 'application/octet-stream' };

function bodyText({ body, content }) {
  if (content === 'file') return 'msg.payload.content';
  return `JSON.stringify(${body ? JSON.stringify(body) : 'msg.payload'})`;
}

/** One message for each address. */
function sendTo(addresses, job) {
  const { method, path, content = 'json' } = job;
  const type = types[content];
  return `${sign}const body = ${bodyText(job)};
const md5 = crypto.createHash('md5').update(body).digest('hex');
const urls = ${JSON.stringify(addresses.map((address) => `${address}${path}`))};
return [urls.map((url) => {
  const digest = sign('${method}:${path}:' + md5 + ':${type}:' + timestamp + ':' + nonce);
  const signed = Object.assign(headers(digest), { 'Content-MD5': md5, 'Content-Type': '${type}' });
  return Object.assign({}, msg, { url, payload: body, headers: signed });
})];`;
}

function read(path) {
  return `${sign}msg.headers = headers(sign('GET:${path}:' + timestamp + ':' + nonce));
return msg;`;
}

function functionNode(id, func, next) {
  return {
    id,
    type: 'function',
    func,
    outputs: 1,
    timeout: 0,
    noerr: 0,
    initialize: '',
    finalize: '',
    libs: [{ var: 'crypto', module: 'crypto' }],
    wires: [[next]],
  };
}

function requestNode(id, method, ret, persist) {
  return {
    id,
    type: 'http request',
    method,
    ret,
    paytoqs: 'ignore',
    url: '',
    tls: '',
    persist,
    proxy: '',
    authType: '',
    senderr: true,
    headers: [],
  };
}

/** @param persist whether the http request node keeps connections */
export function stock(persist) {
  return {
    devices: () => ({ nodes: [], credentials: {} }),

    action(id, job, targets, addresses) {
      const func = sendTo(
        targets.map((index) => addresses[index]),
        job,
      );
      return [
        functionNode(id, func, `${id}-request`),
        requestNode(`${id}-request`, job.method, 'txt', persist),
      ];
    },

    toAll: {},
    /** One comes out for each device. */
    splits: true,

    watch(index, address, seconds) {
      return readings.flatMap((path, part) => {
        const id = `${index}-${part}`;
        return [
          {
            id: `inject${id}`,
            type: 'inject',
            props: [{ p: 'url', v: `${address}${path}`, vt: 'str' }],
            repeat: String(seconds),
            crontab: '',
            once: false,
            onceDelay: 0.1,
            topic: '',
            wires: [[`sign${id}`]],
          },
          functionNode(`sign${id}`, read(path), `request${id}`),
          { ...requestNode(`request${id}`, 'GET', 'obj', persist), wires: [[`filter${id}`]] },
          {
            id: `filter${id}`,
            type: 'rbe',
            func: 'rbe',
            gap: '',
            start: '',
            inout: 'out',
            septopics: false,
            property: 'payload',
            topi: 'topic',
          },
        ];
      });
    },
  };
}
