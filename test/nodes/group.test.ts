import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { ask, flowOf, type NodeConfig, startFlow, stopFlow } from '../fixtures/flow';
import { end, listen } from '../fixtures/listening';
import { redeploy } from '../fixtures/redeploy';
import { door, local } from './door';
import { SlowToClose } from './slow-to-close';

describe('algo-group', () => {
  let slow: SlowToClose;
  let server: Server;
  let address: string;
  /** The base paths and authorizations of what came. */
  let lines: string[];

  beforeEach(async () => {
    slow = new SlowToClose();
    lines = [];
    server = createServer((request, response) => {
      lines.push(`${request.url?.split('/')[1]} ${request.headers.authorization ?? 'none'}`);
      response.end();
    });
    address = `http://${await listen(server)}`;
  });

  afterEach(async () => {
    slow.letGo();
    delete process.env.ALGO_TEST_ROW;
    await stopFlow();
    await end(server);
  });

  const gate = (more: Record<string, unknown> = {}): NodeConfig => {
    return {
      id: 'gate',
      type: 'algo-device',
      name: 'Gate',
      address: `${address}/gate`,
      auth: 'none',
      ...more,
    };
  };
  const group = (more: Record<string, unknown> = {}): NodeConfig => {
    return { id: 'all', type: 'algo-group', name: 'All', auth: 'none', devices: ['gate'], ...more };
  };
  const row = (name: string) => ({ name, address: `${address}/${name.toLowerCase()}` });
  const toGroup = door('lock', local, { target: 'group', device: '', group: 'all' });
  const byMessage = door('lock', local, { id: 'named', target: 'msg', device: '' });
  const lag: NodeConfig = { id: 'lag', type: 'slow-to-close', operation: 'none', n: 0 };
  const deploy = (configs: NodeConfig[]) => redeploy(flowOf(configs));

  /** The password of the Basic login that each address received. */
  const passwords = () =>
    lines
      .splice(0)
      .map((line) => line.split(' '))
      .map(([place, , login = '']) => `${place} ${Buffer.from(login, 'base64').toString().split(':')[1]}`)
      .toSorted();

  it('has one receipt for each member, in their order, whatever is wrong with some', async () => {
    const rows = [
      row('North'),
      { name: 'Lost' },
      { ...row('Twin'), address: `${address}/gate` },
      row('South'),
    ];
    const flow = [gate(), group({ devices: ['gone', 'gate'], rows }), toGroup, byMessage];
    await startFlow(flow);
    for (const [id, message] of [
      ['door', {}],
      ['named', { device: 'group:All' }],
    ] as const) {
      const { sent, caught } = await ask(id, message);
      const receipts = sent[0]?.receipts ?? [];
      assert.deepEqual(
        receipts.map(({ device, outcome }) => `${device} ${outcome}`),
        ['gone failed', 'Gate accepted', 'North accepted', 'Lost failed', 'Twin failed', 'South accepted'],
      );
      assert.deepEqual(
        receipts.flatMap(({ error, attempts }) => (error ? [`${error.code} ${attempts}`] : [])),
        ['NOT_CONFIGURED 0', 'NOT_CONFIGURED 0', 'NOT_CONFIGURED 0'],
      );
      assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
      assert.deepEqual(lines.splice(0).toSorted(), ['gate none', 'north none', 'south none']);
    }
  });

  it('has one password for its rows, and variables anywhere in them', async () => {
    process.env.ALGO_TEST_ROW = `${address}/from-variable`;
    const rows = [{ name: 'Variable', address: '${ALGO_TEST_ROW}', tags: 'front' }, row('Plain')];
    const flow = [group({ devices: [], auth: 'basic', rows }), toGroup, byMessage];
    await startFlow(flow, { all: { password: 'shared' } });
    const { sent } = await ask('door');
    assert.equal(sent[0]?.receipts?.length, 2);
    assert.deepEqual(passwords(), ['from-variable shared', 'plain shared']);
    await ask('named', { device: ['Plain', 'tag:front'] });
    assert.equal(lines.length, 2);
  });

  it('sends to a row that has a password of its own this one, and to no other row', async () => {
    process.env.ALGO_TEST_ROW = 'from the environment';
    const rows = [
      row('Shared'),
      { ...row('Own'), passwordKey: 2 },
      { ...row('Variable'), passwordKey: 1000 },
      { ...row('Text'), passwordKey: '3' },
    ];
    const credentials = {
      ...{ password: 'shared', rowPassword2: 'second', rowPassword3: 'third' },
      rowPassword1000: '${ALGO_TEST_ROW}',
    };
    await startFlow([group({ devices: [], auth: 'basic', rows }), toGroup], { all: credentials });
    const { caught } = await ask('door');
    assert.deepEqual(caught, []);
    assert.deepEqual(passwords(), [
      'own second',
      'shared shared',
      'text third',
      'variable from the environment',
    ]);
  });

  it('sends nothing to a row whose own password is not there, least of all the shared one', async () => {
    const rows = [
      row('Shared'),
      { ...row('Imported'), passwordKey: 1 },
      { ...row('Own'), passwordKey: 2 },
      { ...row('Copy'), passwordKey: 2 },
      { ...row('Odd'), passwordKey: '__proto__' },
      { ...row('Beyond'), passwordKey: 1001 },
      { ...row('Unset'), passwordKey: 3 },
    ];
    const credentials = {
      ...{ password: 'secret of all', rowPassword2: 'secret two', rowPassword3: '${ALGO_TEST_ROW}' },
      rowPassword1001: 'secret beyond',
    };
    await startFlow([group({ devices: [], auth: 'basic', rows }), toGroup], { all: credentials });
    const { sent } = await ask('door');
    assert.deepEqual(passwords(), ['own secret two', 'shared secret of all']);
    const receipts = sent[0]?.receipts ?? [];
    assert.deepEqual(
      receipts.map(({ device, error }) => `${device} ${error?.code ?? 'well'}`),
      [
        ...['Shared well', 'Imported NOT_CONFIGURED', 'Own well', 'Copy NOT_CONFIGURED'],
        ...['Odd NOT_CONFIGURED', 'Beyond NOT_CONFIGURED', 'Unset NOT_CONFIGURED'],
      ],
    );
    assert.match(receipts[1]?.error?.message ?? '', /^its own password is missing: .*; row 2 of group "All"/);
    assert.match(receipts[6]?.error?.message ?? '', /password is \$\{ALGO_TEST_ROW\}/);
    assert.doesNotMatch(JSON.stringify(sent), /secret/);
  });

  it('needs no password of a row without a login', async () => {
    await startFlow([group({ devices: [], rows: [{ ...row('Open'), passwordKey: 1 }] }), toGroup]);
    await ask('door');
    assert.deepEqual(lines, ['open none']);
  });

  it('sends by two names of one address the password of the name that is addressed', async () => {
    const rows = [{ ...row('Row'), address: `${address}/gate`, passwordKey: 1 }];
    const flow = [
      gate({ auth: 'basic' }),
      group({ devices: [], auth: 'basic', rows }),
      group({
        id: 'others',
        name: 'Others',
        devices: [],
        auth: 'basic',
        rows: [{ ...rows[0], name: 'Other' }],
      }),
      byMessage,
    ];
    await startFlow(flow, {
      gate: { password: 'of the node' },
      all: { password: 'shared', rowPassword1: 'of the row' },
      others: { password: 'of others', rowPassword1: 'of another row' },
    });
    for (const [device, password] of [
      ['Row', 'of the row'],
      ['Gate', 'of the node'],
      ['Other', 'of another row'],
      ['Row', 'of the row'],
    ]) {
      await ask('named', { device });
      assert.deepEqual(passwords(), [`gate ${password}`]);
    }
  });

  it('reads variables in the JSON text of its rows', async () => {
    process.env.ALGO_TEST_ROW = `${address}/from-variable`;
    const rows = '[{"name":"Variable","address":"${ALGO_TEST_ROW}"}]';
    await startFlow([group({ devices: [], rows }), toGroup]);
    await ask('door');
    assert.deepEqual(lines, ['from-variable none']);
  });

  it('is no more when it is deployed away, and neither are its rows', async () => {
    const flow = [gate(), group({ rows: [row('North')] }), byMessage];
    await startFlow(flow);
    await deploy([gate(), byMessage]);
    for (const device of ['group:All', 'North']) {
      const { caught } = await ask('named', { device });
      assert.equal(caught[0]?.error?.code, 'NOT_CONFIGURED');
    }
    assert.deepEqual(lines, []);
  });

  it('has the members of its last deploy, of a device alone too', async () => {
    await startFlow([gate(), group({ devices: ['gate', 'yard'] }), byMessage]);
    const yard = gate({ id: 'yard', name: 'Yard', address: `${address}/yard` });
    await deploy([
      gate({ address: `${address}/moved` }),
      yard,
      group({ devices: ['gate', 'yard'] }),
      byMessage,
    ]);
    const { sent, caught } = await ask('named', { device: 'group:All' });
    assert.deepEqual(caught, []);
    assert.equal(sent[0]?.receipts?.length, 2);
    assert.deepEqual(lines.toSorted(), ['moved none', 'yard none']);
  });

  for (const asked of ['group:All', 'group:all']) {
    it(`keeps its place in a deploy: a message for ${asked} waits for its successor`, async () => {
      const before = [gate(), group({ rows: [row('North'), row('South')] }), byMessage, lag];
      await startFlow(before, {}, [slow.register]);
      const closing = slow.closing();
      const after = group({ rows: [row('North'), row('West')], timeout: '9' });
      void deploy([gate({ timeout: '9' }), after, byMessage, { ...lag, n: 1 }]);
      await closing;
      const asking = ask('named', { device: asked });
      await new Promise(setImmediate);
      assert.deepEqual(lines, []);
      slow.letGo();
      const { sent } = await asking;
      assert.deepEqual(
        sent[0]?.receipts?.map(({ device, outcome, error }) => `${device} ${error?.code ?? outcome}`),
        ['Gate accepted', 'North accepted', 'South ABORTED'],
      );
      assert.deepEqual(lines.toSorted(), ['gate none', 'north none']);
    });
  }

  it('waits for a member that alone is replaced', async () => {
    const members = group({ devices: ['gate', 'yard'] });
    const yard = gate({ id: 'yard', name: 'Yard', address: `${address}/yard` });
    await startFlow([gate(), yard, members, toGroup, lag], {}, [slow.register]);
    const closing = slow.closing();
    void deploy([gate({ address: `${address}/moved` }), yard, members, toGroup, { ...lag, n: 1 }]);
    await closing;
    const asking = ask('door');
    slow.letGo();
    const { sent, caught } = await asking;
    assert.deepEqual(caught, []);
    assert.equal(sent[0]?.receipts?.length, 2);
    assert.deepEqual(lines.toSorted(), ['moved none', 'yard none']);
  });

  it('sends nothing to a device that has left it while it was replaced', async () => {
    const before = [gate(), group({ rows: [row('North')] }), byMessage, lag];
    await startFlow(before, {}, [slow.register]);
    const closing = slow.closing();
    void deploy([
      gate({ timeout: '9' }),
      group({ devices: [], rows: [row('North')] }),
      byMessage,
      { ...lag, n: 1 },
    ]);
    await closing;
    const asking = ask('named', { device: 'group:All' });
    slow.letGo();
    const { sent } = await asking;
    assert.deepEqual(
      sent[0]?.receipts?.map(({ device, outcome, error }) => `${device} ${error?.code ?? outcome}`),
      ['Gate ABORTED', 'North accepted'],
    );
    assert.deepEqual(lines, ['north none']);
  });
});
