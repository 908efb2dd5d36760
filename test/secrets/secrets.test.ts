import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { books } from '../contract';
import { makeCertificate, type TestCertificate } from '../fixtures/certificates';
import { GuardedNodeRed } from '../fixtures/guarded-node-red';
import { read } from '../fixtures/package';
import { type SignOptions, send, sign } from '../fixtures/signer';
import { environment, flow, secrets, targets } from './flow';
import { RepeatingDevices, ways } from './repeating-device';

/** One request of each operation with parameters that JSON can hold. */
const operations = Object.entries(
  Object.fromEntries(
    Object.values(books)
      .flat()
      .flatMap(({ ask: one, request }) =>
        one && request && !/upload|Buffer/.test(JSON.stringify(one)) ? [one] : [],
      )
      .map(({ operation, parameters }) => [operation, parameters]),
  ),
);

/** Node-RED writes no payload of a message that asks for a secret, or has it, itself. */
const isAskedByName = true;

const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Forms in which a text of a secret can be shown. */
function formsOf(secret: string): string[] {
  // The part after an @ is no host.
  const [, afterAt = secret] = secret.split('@');
  const inner = base64(secret).replace(/.{0,4}=*$/, '');
  return [
    ...[
      secret,
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
    ],
    afterAt,
    ...[inner, base64(`admin:${secret}`).replace(/=+$/, ''), Buffer.from(secret).toString('hex')],
    ...[hash('md5', secret), hash('sha1', secret), hash('sha256', secret)],
  ];
}

/** Forms of a header that was sent: as it came, and the signature or the login alone. */
function formsOfHeader(header: string): string[] {
  const last = header.split(/[ :]/).at(-1) ?? '';
  return [
    header,
    encodeURIComponent(header),
    base64(header).replace(/.{0,4}=*$/, ''),
    last,
    encodeURIComponent(last),
  ];
}

describe('a secret', () => {
  const devices = new RepeatingDevices();
  let red: GuardedNodeRed;
  let certificate: TestCertificate;
  let nodes: ReturnType<typeof flow>;
  /** Answers of Node-RED's editor and of the endpoints. */
  const answers: string[] = [];
  let tags = 0;

  before(async () => {
    Object.assign(process.env, environment);
    certificate = await makeCertificate();
    const secure = [undefined, undefined, undefined, undefined, certificate];
    nodes = flow(await Promise.all(secure.map((one) => devices.start(one))), certificate);
    red = await GuardedNodeRed.start([], { logging: { console: { level: 'trace' } } });
  });

  after(async () => {
    for (const name of Object.keys(environment)) delete process.env[name];
    await red?.nodeRed.stop();
    await devices.stop();
  });

  /** Sends a message to a node, and waits until the node says that it has ended. */
  async function drive(to: string, message: object): Promise<void> {
    const tag = `number ${tags++}.`;
    const body = JSON.stringify({ to, message: { ...message, tag } });
    const { status } = await ask('send', body);
    assert.equal(status, 200, body);
    await red.nodeRed.waitForOutput(new RegExp(`ended ${tag.replace('.', '\\.')}`));
  }

  async function look(route: string, body?: object): Promise<void> {
    const { text } = await ask(route, body && JSON.stringify(body));
    answers.push(`${route}: ${text}`);
  }

  /** `fetch` gives up a connection after ten seconds, which a busy machine can take. */
  const ask = (route: string, body?: string) => {
    const { pathname, search } = new URL(route, red.nodeRed.url);
    const headers = { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    return send(red.nodeRed.url, method, pathname + search, headers, Buffer.from(body ?? ''));
  };

  /** Fails if a log, a message, a receipt, a status, an answer of an endpoint, an export or the journal shows one. */
  function assertHidden(): void {
    const journal = path.join(red.nodeRed.directory, 'algo');
    const files = readdirSync(journal, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => `${file.name}: ${readFileSync(path.join(file.parentPath, file.name), 'latin1')}`);
    const lines = [...red.nodeRed.log().split('\n'), ...answers, ...files];
    const hidden = [
      ...Object.values(secrets).flatMap(formsOf),
      ...[...devices.headers].flatMap(formsOfHeader),
    ];
    const text = lines.join('\n');
    const shown = [...new Set(hidden)].filter((one) => text.includes(one));
    const where = shown.map((one) => {
      const line = lines.find((each) => each.includes(one)) ?? '';
      const at = line.indexOf(one);
      return `${one}\n   in ${line.slice(Math.max(0, at - 300), at + one.length + 100)}`;
    });
    assert.equal(where.slice(0, 20).join('\n'), '');
  }

  it('is set at every kind of node of the package', () => {
    const types = new Set(nodes.map(({ type }) => type));
    const all = Object.keys(read<{ 'node-red': { nodes: object } }>('package.json')['node-red'].nodes);
    assert.deepEqual(
      all.filter((name) => !types.has(`algo-${name}`)),
      [],
    );
  });

  const written = { 'api.admin.pwd': secrets.written, 'sip.u1.pwd': secrets.written };

  Object.keys(ways).forEach((way, number, all) => {
    it(`is nowhere to be seen if a device repeats it in ${way}`, async () => {
      devices.way = way;
      const before = devices.headers.size;
      await red.deploy(nodes, 'nobody');
      // Each operation is sent in one of the ways.
      for (const [operation, values] of operations.filter((_, index) => index % all.length === number)) {
        const [to = '', id] = operation.split('/');
        await drive(to, { device: targets, operation: id, values });
      }
      await drive('settings', { device: targets, operation: 'put', values: written });
      await drive('settings', {
        device: targets,
        operation: 'get',
        values: { name: 'api.admin.pwd' },
        isAskedByName,
      });
      const path = '/api/settings';
      await drive('request', {
        device: targets,
        operation: 'request',
        values: { method: 'PUT', path, body: written },
      });
      await drive('put', {});
      for (const id of ['alert', 'announce', 'status', 'relay-input', 'console-events', 'remote'])
        await drive(id, {});
      await drive('supervision', { operation: 'check' });
      await drive('alert', { operation: 'clear' });
      assert.ok(devices.headers.size > before + 20, String(devices.headers.size));
      assertHidden();
    });
  });

  it('is nowhere to be seen in a message that is refused', async () => {
    const { url, call } = secrets;
    const login = `http://admin:${url}@127.0.0.1:1/`;
    for (const values of [
      { 'api.admin.pwd': [secrets.written] },
      { 'sip.u1.pwd': { toString: secrets.written } },
      { '': secrets.written, 'api.admin.pwd': secrets.written },
      `{"api.admin.pwd":"${secrets.written}"`,
      [written],
    ])
      await drive('settings', { device: targets, operation: 'put', values });
    await drive('expression', { values: { pwd: secrets.written } });
    for (const to of ['door', 'alert', 'announce', 'supervision'])
      for (const operation of ['unlock', 'mask', 'start', 'play'])
        await drive(to, { device: login, operation, until: 60, values: {}, isAskedByName });
    for (const header of [`Authorization: Bearer ${call}`, `X-Token: ${call}`]) {
      const values = { events: [{ event_type: 'api_call', api_call: [{ header, target: login }] }] };
      await drive('scheduler', { device: targets, operation: 'apply', values });
      await drive('command', {
        values: { target: `${login}?token=${call}`, method: 'POST', header, body: call },
      });
    }
    assertHidden();
  });

  it('is nowhere to be seen in what an endpoint or an exported flow has', async () => {
    devices.way = 'an accepted request';
    const ids = nodes.filter(({ type }) => type === 'algo-device').map(({ id }) => id);
    await look('flows');
    for (const { id, type } of nodes)
      if (/^(algo|mqtt|tls)-/.test(type)) await look(`credentials/${type}/${id}`);
    const form = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'str', value }]));
    for (const id of ids) {
      await look('algo/test', {
        id,
        name: id,
        values: { address: nodes.find((node) => node.id === id)?.address },
      });
      for (const name of ['api.admin.pwd', 'audio.page.vol'])
        await look(`algo/devices/${id}/try`, {
          resource: 'settings',
          operation: 'get',
          form: form({ name }),
        });
      const put = { resource: 'settings', operation: 'put', parameters: JSON.stringify(written) };
      await look(`algo/devices/${id}/try`, put);
      await look(`algo/devices/${id}/try`, { resource: 'info', operation: 'about', form: {} });
      const play = form({ audio: 'chime.wav' });
      await look(`algo/devices/${id}/try`, {
        resource: 'announce',
        operation: 'play',
        id,
        name: id,
        form: play,
      });
      for (const what of ['tones', 'files', 'tags', 'events', 'settings'])
        await look('algo/offer', { what, device: id });
      await look(`algo/bells/${id}/look`, { operation: 'preview', parameters: {} });
      const call = { operation: 'strobe/stop', parameters: {} };
      await look(`algo/bells/${id}/look`, { operation: 'call', parameters: call });
      await look(`algo/bells/${id}/change`, { operation: 'sync', parameters: { tag: 'x', bells: [] } });
    }
    await look('algo/test', {
      values: { address: `http://admin:${secrets.url}@127.0.0.1:1` },
      password: secrets.device,
    });
    await look('algo/overview/ask', { ids });
    await look('algo/overview/known', { ids });
    await look('algo/webhook/address', { targets: ids });
    await look('algo/virtual/box/ticket', {});
    for (const page of ['', 'state', 'requests']) await look(`algo/virtual/box/${page}`);
    assertHidden();
  });

  it('is nowhere to be seen in what a webhook accepts and refuses', async () => {
    const address = red.nodeRed.url.replace(/\/$/, '');
    const { webhook: password, webhookToken: token } = secrets;
    const request = async (path: string, options: SignOptions) => {
      const body = '{"n":1}';
      const headers = sign('POST', path, { ...options, body });
      devices.headers.add(String(headers.Authorization));
      await send(address, 'POST', path, headers, Buffer.from(body));
    };
    for (const auth of ['standard', 'basic', 'token']) {
      const path = `/${auth}`;
      await request(path, { password });
      await request(`${path}?token=${token}`, { password: `not ${password}` });
      await request(path, { password, now: Date.now() - 3_600_000 });
      const logins = [base64(`admin:${password}`), base64(`admin:x${password}`)].map((one) => `Basic ${one}`);
      for (const login of [...logins, `Bearer ${token}`, `Bearer x${token}`])
        await request(path, { headers: { Authorization: login } });
      await request(path, { headers: { 'X-Token': token } });
    }
    await red.nodeRed.waitForOutput(/reason: 'clock'/);
    await red.nodeRed.waitForOutput(/reason: 'token'/);
    assertHidden();
  });
});
