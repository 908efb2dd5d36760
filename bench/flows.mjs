/** The flows that are measured, for devices at these addresses. */

const tab = { id: 'tab', type: 'tab', label: 'bench' };
const at = { z: 'tab', x: 100, y: 100 };

/** A device, a status node and a relay node each; without a device they do nothing. */
export function ours(addresses, interval, idle = false) {
  const flow = addresses.flatMap((address, index) => {
    const device = idle ? '' : `device${index}`;
    const watch = { ...at, device, interval, initial: true, adaptive: false, misses: 3 };
    return [
      { id: `device${index}`, type: 'algo-device', name: `Device ${index}`, address, auth: 'standard' },
      { ...watch, id: `status${index}`, type: 'algo-status', wires: [[`edge${index}`], []] },
      {
        ...watch,
        id: `relay${index}`,
        type: 'algo-relay-input',
        input: 'relay',
        edge: 'both',
        wires: [[`edge${index}`], []],
      },
      { ...at, id: `edge${index}`, type: 'bench-edge', address, wires: [] },
    ];
  });
  const credentials = Object.fromEntries(
    addresses.map((_, index) => [`device${index}`, { password: 'algo' }]),
  );
  return { flow: [tab, ...flow], credentials };
}

const sign = `const { createHmac, randomBytes } = global.get('crypto');
const timestamp = Math.floor(Date.now() / 1000);
const nonce = randomBytes(16).toString('hex');
const path = msg.url.replace(/^https?:\\/\\/[^/]+/, '');
const digest = createHmac('sha256', 'algo').update('GET:' + path + ':' + timestamp + ':' + nonce).digest('hex');
msg.headers = { Date: new Date(timestamp * 1000).toUTCString(), Authorization: 'hmac admin:' + nonce + ':' + digest };
return msg;`;

/** The same with the nodes that come with Node-RED: inject, function, http request and filter for each reading. */
export function stock(addresses, interval, idle = false) {
  const flow = addresses.flatMap((address, index) => [
    ...['/api/info/status', '/api/info/input.relay.status'].flatMap((path, part) =>
      chain(`${index}-${part}`, `edge${index}`, `${address}${path}`, idle ? '' : String(interval)),
    ),
    { ...at, id: `edge${index}`, type: 'bench-edge', address, wires: [] },
  ]);
  return { flow: [tab, ...flow], credentials: {} };
}

function chain(id, edge, url, repeat) {
  return [
    {
      ...at,
      id: `inject${id}`,
      type: 'inject',
      props: [{ p: 'url', v: url, vt: 'str' }],
      repeat,
      crontab: '',
      once: false,
      onceDelay: 0.1,
      topic: '',
      wires: [[`sign${id}`]],
    },
    {
      ...at,
      id: `sign${id}`,
      type: 'function',
      func: sign,
      outputs: 1,
      timeout: 0,
      noerr: 0,
      initialize: '',
      finalize: '',
      libs: [],
      wires: [[`request${id}`]],
    },
    {
      ...at,
      id: `request${id}`,
      type: 'http request',
      method: 'GET',
      ret: 'obj',
      paytoqs: 'ignore',
      url: '',
      tls: '',
      persist: false,
      proxy: '',
      authType: '',
      senderr: false,
      headers: [],
      wires: [[`filter${id}`]],
    },
    {
      ...at,
      id: `filter${id}`,
      type: 'rbe',
      func: 'rbe',
      gap: '',
      start: '',
      inout: 'out',
      septopics: false,
      property: 'payload',
      topi: 'topic',
      wires: [[edge]],
    },
  ];
}
