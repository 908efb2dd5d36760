import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { NodeAPI } from 'node-red';
import { Device } from '../../../src/runtime/device/device';
import { Group } from '../../../src/runtime/device/group';
import {
  awaitSuccessor,
  deregister,
  deregisterGroup,
  deviceById,
  devicesNamed,
  devicesTagged,
  forgetClosed,
  foundAgain,
  groupById,
  groupsNamed,
  onSettled,
  register,
  registerGroup,
} from '../../../src/runtime/device/registry';

const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
const device = (id: string, name: string, tags = '') => new Device(id, { name, tags }, '', surroundings);

describe('the registry of devices and groups', () => {
  // The end of another test's flows has closed its devices, and no deploy came that forgets them.
  before(forgetClosed);
  const here: Device[] = [];
  const groups: Group[] = [];

  afterEach(() => {
    here.splice(0).forEach(deregister);
    groups.splice(0).forEach(deregisterGroup);
  });

  function put(id: string, name: string, tags = ''): Device {
    const made = device(id, name, tags);
    here.push(made);
    register(made);
    return made;
  }

  function putGroup(id: string, name = id): Group {
    const made = new Group(id, { name }, {}, surroundings);
    groups.push(made);
    registerGroup(made);
    return made;
  }

  it('forgets the name and the tags of a predecessor', () => {
    put('gate', 'Gate', 'north, old');
    const gate = put('gate', 'Front gate', 'north');
    assert.deepEqual(devicesNamed('Gate'), []);
    assert.deepEqual(devicesNamed('Front gate'), [gate]);
    assert.deepEqual(devicesTagged('old'), []);
    assert.deepEqual(devicesTagged('north'), [gate]);
  });

  it('finds what is tagged by name, and by id where names are the same', () => {
    const [c, a, b] = [put('3', 'C', 't'), put('2', 'A', 't'), put('1', 'B', 't')];
    assert.deepEqual(devicesTagged('t'), [a, b, c]);
    const twin = put('0', 'B', 't');
    assert.deepEqual(devicesTagged('t'), [a, twin, b, c]);
    deregister(a);
    assert.deepEqual(devicesTagged('t'), [twin, b, c]);
  });

  it('finds one that is being replaced only where no other has the name', async () => {
    const closed = put('gate', 'Gate');
    await closed.close();
    assert.deepEqual(devicesNamed('Gate'), [closed]);
    const other = put('other', 'Gate');
    assert.deepEqual(devicesNamed('Gate'), [other]);
  });

  it('keeps a group that is being replaced until the deploy is over', async () => {
    const group = putGroup('all', 'All');
    await group.close();
    assert.equal(groupById('all'), group);
    assert.deepEqual(groupsNamed('All'), [group]);
    forgetClosed();
    assert.equal(groupById('all'), undefined);
    assert.deepEqual(groupsNamed('All'), []);
  });

  it('tells of a successor when every group is there again', async () => {
    const [gate, group] = [put('gate', 'Gate'), putGroup('all')];
    await Promise.all([gate.close(), group.close()]);
    const calls: unknown[] = [];
    awaitSuccessor(gate, (successor) => calls.push(successor));
    const successor = put('gate', 'Gate');
    assert.deepEqual(calls, []);
    putGroup('all');
    assert.deepEqual(calls, [successor]);
  });

  it('tells of a successor when the deploy is over, also where a group is gone', async () => {
    const [gate, group] = [put('gate', 'Gate'), putGroup('all')];
    await Promise.all([gate.close(), group.close()]);
    const calls: unknown[] = [];
    awaitSuccessor(gate, (successor) => calls.push(successor));
    const successor = put('gate', 'Gate');
    forgetClosed();
    assert.deepEqual(calls, [successor]);
  });

  it('tells that there is no successor', async () => {
    const gate = put('gate', 'Gate');
    await gate.close();
    const calls: unknown[] = [];
    awaitSuccessor(gate, (successor) => calls.push(successor));
    forgetClosed();
    assert.deepEqual(calls, [undefined]);
    assert.equal(deviceById('gate'), undefined);
  });

  it('does not tell of a successor that the next deploy has closed', async () => {
    const [gate, group] = [put('gate', 'Gate'), putGroup('all')];
    await Promise.all([gate.close(), group.close()]);
    const calls: unknown[] = [];
    awaitSuccessor(gate, (successor) => calls.push(successor));
    await put('gate', 'Gate').close();
    putGroup('all');
    assert.deepEqual(calls, []);
    const last = put('gate', 'Gate');
    assert.deepEqual(calls, [last]);
  });

  it('tells when a deploy is over, as long as somebody wants to know', () => {
    let count = 0;
    const end = onSettled({ events: new EventEmitter() } as unknown as NodeAPI, () => count++);
    forgetClosed();
    end();
    forgetClosed();
    assert.equal(count, 1);
  });

  describe('finds again what was begun at a device', () => {
    const at = (number: number) => `http://device-${number}`;
    const was = (number: number) => new Device('', { address: at(number) }, '', surroundings).where;

    function putAt(id: string, number: number): void {
      const made = new Device(id, { name: id, address: at(number) }, '', surroundings);
      here.push(made);
      register(made);
    }
    function putRows(rows: Readonly<Record<string, number>>): void {
      const list = Object.entries(rows).map(([name, number]) => ({ name, address: at(number) }));
      const made = new Group('rows', { name: 'Rows', rows: list }, {}, surroundings);
      groups.push(made);
      registerGroup(made);
    }
    const found = (id: string, number?: number) =>
      foundAgain({ id, where: number === undefined ? undefined : was(number) })?.id;

    it('by its node, which takes it along to a new address', () => {
      putAt('gate', 2);
      putRows({ Hall: 1 });
      assert.equal(found('gate', 1), 'gate');
    });

    it('by the row that is there now, whatever its old name is for', () => {
      putRows({ Hall: 2, Foyer: 1 });
      assert.equal(found('rows/Hall', 1), 'rows/Foyer');
      assert.equal(found('rows/Foyer', 2), 'rows/Hall');
      assert.equal(found('rows/Hall', 2), 'rows/Hall');
      assert.equal(found('rows/Yard', 1), 'rows/Foyer');
    });

    it('by its row at a new address, where nothing is at the old one', () => {
      putRows({ Hall: 2 });
      assert.equal(found('rows/Hall', 1), 'rows/Hall');
      assert.equal(found('rows/Hall'), 'rows/Hall');
      assert.equal(found('rows/Yard', 3), undefined);
    });
  });
});
