import assert from 'node:assert/strict';
import { Device } from '../../../src/runtime/device/device';
import { Group, type GroupProperties } from '../../../src/runtime/device/group';
import {
  deregister,
  deregisterGroup,
  forgetClosed,
  register,
  registerGroup,
} from '../../../src/runtime/device/registry';
import { findTargets, type Target } from '../../../src/runtime/device/targets';
import { wordingIn } from '../../fixtures/wording';

const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
const device = (id: string, tags = '') => new Device(id, { name: id, tags }, '', surroundings);
const group = (id: string, name: string, more: GroupProperties = {}) =>
  new Group(id, { name, auth: 'none', ...more }, {}, surroundings);

describe('the targets of a message to a group', () => {
  // The end of another test's flows has closed its devices, and no deploy came that forgets them.
  before(forgetClosed);
  const devices = [device('gate', 'front'), device('yard', 'front'), device('hall')];
  const groups = [
    group('g1', 'Front', { devices: ['yard'], tags: 'front', maxParallel: 5 }),
    group('g2', 'All', { devices: ['hall', 'gate', 'gone'], rows: [{ name: 'Row', address: '192.0.2.1' }] }),
    group('g3', 'Drill', { devices: ['gate'], dryRun: true, maxParallel: '3' }),
    group('g4', 'Empty', { tags: 'nobody has it' }),
    group('g5', 'Twin', { devices: ['gate'] }),
    group('g6', 'Twin', { devices: ['hall'] }),
    group('g7', 'Odd', { devices: ['gate'], maxParallel: 0 }),
  ];
  beforeEach(() => {
    devices.forEach(register);
    groups.forEach(registerGroup);
  });
  afterEach(() => {
    groups.forEach(deregisterGroup);
    devices.forEach(deregister);
  });

  const shown = (list: readonly Target[]) => list.map((target) => target.device?.name ?? target.asked);
  const find = (asked: unknown) => findTargets({ target: 'msg' }, { device: asked });
  const chosen = (id: unknown) => findTargets({ target: 'group', group: id }, {});

  it('are its members in their order', () => {
    for (const found of [chosen('g2'), find('group:All'), find('group:g2'), find('group: All ')]) {
      assert.deepEqual(shown(found.list), ['hall', 'gate', 'gone', 'Row']);
      assert.equal(found.list[2]?.error?.code, 'NOT_CONFIGURED');
      assert.equal(found.single, false);
    }
  });

  it('are each there once, in lists of all that can be named', () => {
    const list = ['gate', 'group:Front', 'tag:front', 'nobody', 'group:All', 'group:nobody', 'group:Empty'];
    assert.deepEqual(shown(find(list).list), [
      'gate',
      'yard',
      'nobody',
      'hall',
      'gone',
      'Row',
      'group:nobody',
      'group:Empty',
    ]);
  });

  it('are one where a row is another name for a device, however its address is written, and only while it is', () => {
    const at = (id: string, address: string) =>
      new Device(id, { name: id, tags: 'door', address }, '', surroundings);
    const [node, moved] = [at('node', 'HTTPS://192.0.2.1:443/'), at('node', 'https://192.0.2.2')];
    const again = group('g8', 'Again', {
      rows: [{ name: 'Other row', address: 'https://192.0.2.1', tags: 'door' }],
    });
    registerGroup(again);
    assert.deepEqual(shown(find(['group:All', 'group:Again']).list), ['hall', 'gate', 'gone', 'Row']);
    register(node);
    assert.deepEqual(shown(find(['group:All', 'node', 'Other row']).list), ['hall', 'gate', 'gone', 'Row']);
    assert.deepEqual(shown(find(['node', 'group:All']).list), ['node', 'hall', 'gate', 'gone']);
    assert.deepEqual(shown(find('tag:door').list), ['Other row']);
    register(moved);
    assert.deepEqual(shown(find(['node', 'Row']).list), ['node', 'Row']);
    deregister(moved);
    deregisterGroup(again);
  });

  it('are two where two nodes have one address: somebody made two of them', () => {
    const twins = ['one', 'two'].map(
      (id) => new Device(id, { name: id, address: '192.0.2.9' }, '', surroundings),
    );
    twins.forEach(register);
    assert.deepEqual(shown(find(['one', 'two', 'Row']).list), ['one', 'two', 'Row']);
    twins.forEach(deregister);
  });

  it('are addressed so many at once as the group says, the strictest of several', () => {
    assert.equal(chosen('g1').maxParallel, 5);
    assert.equal(chosen('g2').maxParallel, 100);
    assert.equal(find('group:Front').maxParallel, 5);
    assert.equal(find(['group:Front', 'group:All', 'group:Drill']).maxParallel, 3);
    assert.equal(find(['gate', 'tag:front']).maxParallel, 100);
    assert.equal(find('tag:front').maxParallel, 100);
    assert.equal(findTargets({ device: 'gate' }, {}).maxParallel, 100);
  });

  it('are as many as a message names, and those of one that is named again are looked up once', () => {
    const many = new Array(199_999).fill('group:Front');
    const { list, maxParallel } = find([...many, 'group:Drill']);
    assert.deepEqual(shown(list), ['yard', 'gate']);
    assert.equal(maxParallel, 3);
    assert.deepEqual(shown(find([...many.slice(1), 'nobody', 'gate']).list.slice(0, 2)), ['yard', 'gate']);
  });

  it('are on dry run if the group is', () => {
    assert.deepEqual(
      chosen('g3').list.map(({ dryRun }) => dryRun),
      [true],
    );
    assert.equal(chosen('g1').list[0]?.dryRun, undefined);
    for (const asked of [
      ['gate', 'group:Drill', 'yard'],
      ['group:Drill', 'gate', 'yard'],
    ]) {
      assert.deepEqual(
        find(asked).list.map(({ dryRun }) => dryRun),
        [true, undefined],
      );
    }
  });

  it('are one that says why, where the group leads nowhere', () => {
    const cases: [ReturnType<typeof find>, string, RegExp][] = [
      [chosen(''), '', wordingIn('reasons:nothingSent')],
      [chosen(undefined), '', wordingIn('reasons:noGroupChosen')],
      [chosen('gone'), 'gone', wordingIn('reasons:chosenGroupGone')],
      [chosen('${G}'), '${G}', wordingIn('reasons:variableIs', { variable: '${G}' })],
      [chosen('gate'), 'gate', wordingIn('reasons:chosenGroupGone')],
      [chosen('g4'), 'group:Empty', /^the group has no members: "group:Empty"; /],
      [chosen('g7'), 'group:Odd', /^maxParallel .* 0$/],
      [find('group:'), 'group:', /^no group has this name: "group:"/],
      [find('group:nobody'), 'group:nobody', /^no group has this name: "group:nobody"; /],
      [find('group:gate'), 'group:gate', /^no group has this name: "group:gate"/],
      [find('group:Twin'), 'group:Twin', /^2 groups have this name: "group:Twin"; use the id of the group/],
      [find(`group:${'x'.repeat(5000)}`), `group:${'x'.repeat(194)}…`, /"group:x{74}…"/],
    ];
    for (const [{ list, single }, asked, words] of cases) {
      assert.equal(list.length, 1);
      assert.equal(list[0]?.asked, asked);
      assert.equal(list[0]?.error?.code, 'NOT_CONFIGURED');
      assert.match(String(list[0]?.error?.message), words);
      assert.equal(single, false);
    }
  });

  it('are meant as long as they belong to the group by which they were found', () => {
    const byName = find('group:Front').list[0];
    const byId = chosen('g1').list[0];
    const yard = devices[1] ?? assert.fail();
    const isMeant = () => [byName, byId].map((target) => target?.stillIncludes?.(yard));
    assert.deepEqual(isMeant(), [true, true]);
    const others = [
      { change: group('g1', 'Front', { devices: ['gate'] }), meant: [false, false] },
      { change: group('g1', 'Front', { tags: 'front' }), meant: [true, true] },
      { change: group('g1', 'Renamed', { tags: 'front' }), meant: [false, true] },
    ];
    for (const { change, meant } of others) {
      registerGroup(change);
      assert.deepEqual(isMeant(), meant);
    }
    deregisterGroup(others[2]?.change ?? assert.fail());
    assert.deepEqual(isMeant(), [false, false]);
  });
});
