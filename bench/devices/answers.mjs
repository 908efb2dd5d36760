/** What devices answer, as bytes. */

const about = {
  'Product Name': 'Algo 8301 IP Paging Adapter & Scheduler',
  'Firmware Version': '5.7',
  'MAC Address': '00:22:ee:00:00:01',
  'Hardware Info': 'bench',
  'Manufacturer Certificate': 'Installed',
};

const status = {
  'Device Name': 'bench',
  'SIP Registration': 'No Account',
  'Call Status': 'Idle',
  'Proxy Status': 'Single proxy mode',
  'Provisioning Status': 'Disabled',
  MAC: '00:22:ee:00:00:01',
  IPv4: '127.0.0.1/8',
  'Multicast Mode': 'Disabled',
  Volume: 'Page Volume: 4 (-18dB)',
  Temperature: '41C',
  'Next Scheduled Event': 'No Events Scheduled',
  'Next Scheduled Action': 'No Actions Scheduled',
  'Current Action': 'None',
  'Relay Input Status': 'idle',
};

let date = '';
let dateUntil = 0;

/** The `Date` header of now, made once a second. */
function dateNow() {
  const now = Date.now();
  if (now >= dateUntil) {
    date = new Date(now).toUTCString();
    dateUntil = now - (now % 1000) + 1000;
  }
  return date;
}

function answer(line, body) {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n';
  return `HTTP/1.1 ${line}\r\nDate: ${dateNow()}\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
}

const bodies = {
  '/api/info/about': JSON.stringify(about),
  '/api/info/status': JSON.stringify(status),
  '/api/schedules': JSON.stringify({ events: [] }),
};

/** The answer to a request of this path, at a device whose relay input is in this state. */
export function answerTo(path, state) {
  const body = path === '/api/info/input.relay.status' ? `{"input.relay.status":"${state}"}` : bodies[path];
  return answer('200 OK', body ?? '');
}

export function refusal() {
  return answer('401 Unauthorized', '');
}
