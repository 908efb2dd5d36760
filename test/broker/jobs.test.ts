import assert from 'node:assert/strict';
import helper from 'node-red-node-test-helper';
import { action, alertOf, short } from '../fixtures/alert-node';
import type { FakeDevice } from '../fixtures/fake-device';
import { ask, type NodeConfig } from '../fixtures/flow';
import { caughtOf, codesOf, outcomesOf, receiptsOf, Site, type Way } from '../fixtures/site';
import { ample, broker, coreMqtt, flash, inbox, play, remote, site } from './flow';
import { Listener } from './listener';
import { Mosquitto } from './mosquitto';

interface Answer {
  readonly outcome: string;
  readonly receipts: unknown[];
  readonly instance: string;
}

/** What of a message says what each site answered. */
function answersOf({ sent, caught }: Way): Record<string, Answer> {
  return ((sent[0] ?? caught[0])?.sites ?? {}) as Record<string, Answer>;
}

describe('algo-remote and algo-site over a broker', () => {
  let mosquitto: Mosquitto;
  let listener: Listener;
  let world: Site;
  let a: FakeDevice;

  const brokers = () => [broker('centre broker', mosquitto.port), broker('site broker', mosquitto.port)];
  const inboxes = ['jobs', 'states', 'late'].map(inbox);
  const start = async (...nodes: Parameters<Site['start']>[0]) => {
    await world.start([...brokers(), a.config({ letDeviceDecide: true }), ...inboxes, ...nodes], {}, [
      coreMqtt(),
    ]);
  };
  const ready = () =>
    world.until('the site is ready', () =>
      world.inbox('states').some(({ payload }) => (payload as { connected: boolean }).connected),
    );
  const left = () => [...listener.retained.keys()].filter((topic) => !topic.includes('/state/'));

  before(async () => {
    mosquitto = await Mosquitto.start();
  });
  after(() => mosquitto.end());
  beforeEach(async () => {
    listener = await Listener.open(mosquitto.port);
    world = new Site();
    a = await world.device('A');
  });
  afterEach(async () => {
    await world.end();
    for (const topic of left()) await listener.publish(topic, '');
    await listener.end();
  });

  it('does a job at its site and brings the receipts back', async () => {
    await start(site('n'), remote('r', play));
    await ready();
    const way = await world.ask('r', { payload: { path: 'gong.wav', loop: false } });
    assert.deepEqual(outcomesOf(way), ['A accepted']);
    assert.deepEqual(a.operationNames, ['tone/start']);
    const north = answersOf(way).north;
    assert.equal(north?.outcome, 'accepted');
    assert.equal((receiptsOf(way)[0] as { site?: string }).site, 'north');
    assert.deepEqual(north?.receipts, way.sent[0]?.receipts);
    assert.equal(world.inbox('jobs')[0]?.topic, 'tone/start');
    await listener.until(() => left().every((topic) => topic.includes('/result/')));
    assert.equal(left().length, 1);
  });

  it('takes the person who asked along, also in the receipts of what no site answered', async () => {
    await start(site('n'), remote('r', play), remote('lost', play, { sites: ['south'], ttl: 1 }));
    await ready();
    const way = await world.ask('r', { by: 'Ms Lee', payload: { path: 'gong.wav', loop: false } });
    const lost = await world.ask('lost', { by: 'Ms Lee', payload: { path: 'gong.wav', loop: false } });
    assert.deepEqual([outcomesOf(way), outcomesOf(lost)], [['A accepted'], ['A expired']]);
    assert.deepEqual(
      [...receiptsOf(way), ...receiptsOf(lost)].map(({ by }) => by),
      ['Ms Lee', 'Ms Lee'],
    );
  });

  it('acknowledges an alert of its site, sends nothing for it, and does not clear it', async () => {
    const about = { type: 'algo-alert', name: 'Lockdown', operation: '', target: 'device', device: a.id };
    const actions = [action('strobe/start')];
    const lockdown = { id: 'lockdown', ...about, actions, wires: [['out'], []] } as NodeConfig;
    const jobs = ['start', 'acknowledge', 'clear'].map((word) =>
      remote(word, { alert: 'Lockdown', action: word }, { devices: '' }),
    );
    await start(site('n', { alerts: 'Lockdown' }), lockdown, ...jobs);
    await ready();
    const early = await world.ask('acknowledge', { by: 'Ms Lee' });
    assert.deepEqual([outcomesOf(early), codesOf(early)], [['Lockdown failed'], ['INVALID_PARAMETER']]);
    await world.ask('start', { by: 'Ms Lee' });
    const way = await world.ask('acknowledge', { by: 'Mr Rao', answer: 'safe' });
    assert.deepEqual([caughtOf(way), receiptsOf(way)], [[], []]);
    assert.equal(answersOf(way).north?.outcome, 'accepted');
    const { state, by, acknowledged } = alertOf(await world.ask('lockdown', { operation: 'state' }));
    assert.deepEqual(
      [state, by, acknowledged.map((one) => [one.by, one.answer])],
      ['active', 'Ms Lee', [['Mr Rao', 'safe']]],
    );
    assert.deepEqual(a.operationNames, ['strobe/start']);
    assert.deepEqual(outcomesOf(await world.ask('clear', { by: 'Dr Eze' })), ['A accepted']);
  });

  it('says that a site did not take it, and takes the job off the broker', async () => {
    await start(remote('r', flash, { ttl: 1 }));
    const way = await world.ask('r');
    assert.deepEqual(outcomesOf(way), ['A expired']);
    assert.deepEqual(codesOf(way), ['EXPIRED']);
    assert.match(receiptsOf(way)[0]?.error?.message ?? '', /the site is "north"/);
    assert.deepEqual(caughtOf(way), ['EXPIRED']);
    assert.deepEqual(left(), []);
  });

  it('refuses at the site what is not allowed there', async () => {
    await start(site('n'), remote('r', { operation: 'relay/disable' }));
    await ready();
    const way = await world.ask('r');
    assert.deepEqual(outcomesOf(way), ['A failed']);
    assert.deepEqual(codesOf(way), ['NOT_SUPPORTED']);
    assert.deepEqual(a.operationNames, []);
  });

  it('takes a job without an expiry off the broker and does not do it', async () => {
    await start(site('n'));
    await ready();
    const command = { operation: 'strobe/stop', parameters: {} };
    const job = { v: 2, id: 'j1', site: 'north', at: 'now', command, devices: ['A'] };
    await listener.publish('algo/v2/north/job/j1', job);
    await listener.until(() =>
      listener.seen.some(({ topic, payload }) => topic.endsWith('/job/j1') && payload === ''),
    );
    assert.deepEqual(a.operationNames, []);
    await listener.publish('algo/v2/north/job/j2', { ...job, id: 'j2' }, 20);
    await world.until('the next one is done', () => a.operationNames.length === 1);
  });

  it('refuses a broker with another protocol, or one that keeps a session', async () => {
    const more = { clientid: 'me', cleansession: false };
    await world.start(
      [
        broker('centre broker', mosquitto.port, { protocolVersion: '4' }),
        broker('keeping', mosquitto.port, more),
        remote('old', flash),
        remote('kept', flash, { broker: 'keeping' }),
      ],
      {},
      [coreMqtt()],
    );
    const old = await world.ask('old');
    assert.match(String(old.caught[0]?.error?.message), /MQTT V5/);
    assert.deepEqual(caughtOf(old), ['NOT_CONFIGURED']);
    const kept = await world.ask('kept');
    assert.match(String(kept.caught[0]?.error?.message), /clean start/);
  });

  it('takes the operation from the job, or for msg from the message, and refuses any other name', async () => {
    const ofMessage = { operation: 'tone/msg', parametersType: 'msg', parameters: 'payload' };
    const wrong = [
      'strobe',
      'strobe/msg/stop',
      'strobe/stop/now',
      'strobe/none',
      'nobody/stop',
      '',
      7,
      undefined,
    ];
    const parameters = '{"method":"GET","path":"/api/info/status"}';
    await start(
      site('n', { allow: 'tone, request' }),
      remote('r', ofMessage),
      remote('free', { operation: 'request', parametersType: 'json', parameters }),
      ...wrong.map((operation, index) => remote(`wrong${index}`, { operation })),
      remote('old', { noun: 'strobe', operation: 'stop' }),
    );
    await ready();
    const payload = { path: 'gong.wav', loop: false };
    const started = await world.ask('r', { operation: 'start', payload });
    assert.deepEqual(receiptsOf(started).map(short), ['A tone/start accepted']);
    await world.ask('r', { operation: 'stop', payload: {} });
    const free = await world.ask('free');
    assert.deepEqual(receiptsOf(free).map(short), ['A request accepted']);
    assert.deepEqual(a.operationNames, ['tone/start', 'tone/stop', 'info/status']);
    assert.deepEqual(caughtOf(await world.ask('r', { payload })), ['INVALID_PARAMETER']);
    for (const id of [...wrong.map((_, index) => `wrong${index}`), 'old'])
      assert.deepEqual(caughtOf(await world.ask(id, { operation: 'stop' })), ['INVALID_PARAMETER'], id);
  });

  it('takes no time limit but a number of seconds, and the usual one where there is none', async () => {
    await start(site('n'), remote('r', flash, { ttl: '' }), remote('usual', flash, { ttl: undefined }));
    await ready();
    for (const ttl of [undefined, '', 0, 'soon', null]) {
      const way = await world.ask('r', ttl === undefined ? {} : { ttl });
      assert.deepEqual(caughtOf(way), ['INVALID_PARAMETER'], String(ttl));
    }
    assert.deepEqual(outcomesOf(await world.ask('r', { ttl: ample })), ['A accepted']);
    assert.deepEqual(outcomesOf(await world.ask('usual')), ['A accepted']);
  });

  it('asks nobody who is called like an environment variable that is not set', async () => {
    const wrong = [
      { sites: '${ALGO_NO_SUCH}' },
      { devices: ['A', '${ALGO_NO_SUCH}'] },
      { sites: '*', knownSites: '${ALGO_NO_SUCH}' },
    ];
    await start(...wrong.map((more, index) => remote(`r${index}`, flash, { ttl: 1, ...more })));
    for (const index of wrong.keys()) {
      const way = await world.ask(`r${index}`);
      assert.deepEqual(caughtOf(way), ['NOT_CONFIGURED'], String(index));
      assert.match(
        String(way.caught[0]?.error?.message),
        /environment variable that is not set: .*ALGO_NO_SUCH\}/,
      );
    }
    assert.ok(!listener.seen.some(({ topic }) => topic.includes('/job/')));
  });

  it('asks every site with *, and nobody where none is named', async () => {
    await start(
      site('n'),
      site('s', { site: 'south' }),
      remote('all', flash, { sites: '', knownSites: 'west', ttl: 1 }),
    );
    await ready();
    const none = await world.ask('all');
    assert.deepEqual(caughtOf(none), ['NOT_CONFIGURED']);
    await listener.until(() =>
      ['north', 'south'].every((name) =>
        listener.seen.some(({ topic }) => topic.startsWith(`algo/v2/${name}/state/`)),
      ),
    );
    const way = await world.ask('all', { site: '*' });
    const found = Object.entries(answersOf(way));
    assert.deepEqual(
      found.map(([name, { outcome }]) => `${name} ${outcome}`),
      ['west expired', 'north accepted', 'south accepted'],
    );
    assert.deepEqual(caughtOf(way), ['EXPIRED']);
  });

  it('says in its own words that a message cannot carry what the sites answer', async () => {
    await start(site('n'), remote('r', play));
    await ready();
    const payload = { path: 'gong.wav', loop: false };
    const { sent, caught } = await ask('r', Object.freeze({ _msgid: 'frozen', payload }));
    assert.deepEqual([sent.length, caught[0]?.error?.code], [0, 'PROTOCOL']);
    assert.match(
      String(caught[0]?.error?.message),
      /: the message cannot carry its receipts: tone\/start; the outcome is accepted/,
    );
  });

  it('makes no alert in earnest of a drill that is said by text, and passes its priority on', async () => {
    const [once, clear, begin] = [
      { devices: '', ttl: 1 },
      { alert: 'Lockdown', action: 'clear' },
      { alert: 'Lockdown', action: 'start' },
    ];
    const ofMessage = { ...once, priority: 'level', priorityType: 'msg' };
    await start(
      remote('r', begin, ofMessage),
      remote('usual', begin, once),
      remote('own', begin, { ...once, priority: '9' }),
      remote('c', clear, ofMessage),
    );
    const commands = () =>
      listener.seen.flatMap(({ topic, payload }) =>
        topic.includes('/job/') && payload !== ''
          ? [(JSON.parse(payload) as { command: unknown }).command]
          : [],
      );
    for (const message of [{ drill: 'yes' }, { drill: 1 }, { level: 'high' }, { level: 11 }]) {
      assert.deepEqual(
        caughtOf(await world.ask('r', message)),
        ['INVALID_PARAMETER'],
        JSON.stringify(message),
      );
    }
    assert.deepEqual(commands(), []);
    await world.ask('r', { drill: 'true', level: '8' });
    assert.deepEqual(commands(), [{ ...begin, priority: 8, drill: true }]);
    await world.ask('r', {});
    assert.deepEqual(commands().at(-1), { ...begin, priority: 5 });
    await world.ask('own', { priority: 1 });
    assert.deepEqual(commands().at(-1), { ...begin, priority: 9 });
    // Without a priority of the job, the alert at the site has its own.
    await world.ask('usual', { priority: 1 });
    assert.deepEqual(commands().at(-1), begin);
    await world.ask('c', { drill: 'true' });
    assert.deepEqual(commands().at(-1), { ...clear, drill: true });
  });

  it('lets the lowest rank that lives do it, and the next one after that', async () => {
    const second = broker('second broker', mosquitto.port);
    const nodes = [
      site('first', { rank: 0 }),
      second,
      site('second', { rank: 1, broker: 'second broker' }),
      remote('r', play),
    ];
    await start(...nodes);
    await ready();
    const one = await world.ask('r', { payload: { path: 'one.wav', loop: false } });
    const first = (
      helper.getNode('first') as { context(): { global: { get(key: string): unknown } } }
    ).context();
    assert.ok(first.global.get('algoSites'));
    await world.redeploy([...brokers(), a.config({ letDeviceDecide: true }), ...inboxes, ...nodes.slice(1)]);
    const two = await world.ask('r', { payload: { path: 'two.wav', loop: false } });
    assert.deepEqual(outcomesOf(two), ['A accepted']);
    assert.notEqual(answersOf(one).north?.instance, answersOf(two).north?.instance);
    assert.deepEqual(a.operationNames, ['tone/start', 'tone/start']);
  });
});
