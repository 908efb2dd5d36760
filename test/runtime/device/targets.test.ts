import assert from 'node:assert/strict';
import { Device } from '../../../src/runtime/device/device';
import { deregister, deviceById, forgetClosed, register } from '../../../src/runtime/device/registry';
import { findTargets } from '../../../src/runtime/device/targets';
import { wordingIn } from '../../fixtures/wording';

function named(id: string, name: string, tags = ''): Device {
  const surroundings = { tlsOptions: () => ({}), endpoint: () => undefined, environment: {} };
  return new Device(id, { name, tags }, '', surroundings);
}

describe('the targets of a message', () => {
  const devices = [
    named('north-1', 'Gate', 'north, all'),
    named('north-2', 'Yard', 'all'),
    named('twin', 'Twin'),
    named('twin-2', 'Twin'),
    named('plain', 'twin'),
    named('plain-2', 'twin'),
  ];
  before(() => {
    // The end of another test's flows has closed its devices, and no deploy came that forgets them.
    forgetClosed();
    devices.forEach(register);
  });
  after(() => devices.forEach(deregister));

  const find = (device: unknown) => findTargets({ target: 'msg' }, { device });
  const found = (device: unknown) =>
    find(device).list.map((target) => (target.device ? target.device.id : target.error.message));

  it('are found by name, id and tag, in their order, each once', () => {
    assert.deepEqual(found('Gate'), ['north-1']);
    assert.deepEqual(found('north-2'), ['north-2']);
    assert.deepEqual(found(['Yard', 'tag:all', 'north-1']), ['north-2', 'north-1']);
  });

  it('are found by id first, even where others have that name', () => {
    assert.deepEqual(found('twin'), ['twin']);
    assert.match(String(found('Twin')), /2 devices have this name: "Twin"/);
  });

  it('are single only where one string names one device', () => {
    assert.equal(find('Gate').single, true);
    assert.equal(find(['Gate']).single, false);
    assert.equal(find('tag:north').single, false);
    assert.equal(findTargets({ device: 'north-1' }, {}).single, true);
  });

  it('are never none: what leads nowhere is a target with a reason', () => {
    assert.match(String(found([])), /empty list/);
    assert.match(String(found('tag:south')), /no device has this tag: "tag:south"/);
    for (const odd of [undefined, null, '', 42, true, {}, Buffer.from('Gate'), [['Gate']]]) {
      assert.match(String(found(odd)), /msg\.device must name a device/);
    }
  });

  it('are those that were ticked in the dialog, each once, whatever the message says', () => {
    const ticked = (targets: unknown) =>
      findTargets({ target: 'several', targets }, { device: 'Twin' }).list.map((target) =>
        target.device ? target.device.id : target.error.message,
      );
    assert.deepEqual(ticked(['twin', 'tag:all', 'north-1']), ['twin', 'north-1', 'north-2']);
    for (const none of [undefined, [], 'twin', [''], [42]])
      assert.match(String(ticked(none)), wordingIn('reasons:noneChosen'));
    assert.equal(findTargets({ target: 'several', targets: ['twin'] }, {}).single, false);
  });

  it('are named in sentences of a readable length', () => {
    assert.match(String(found('x'.repeat(5000))), /"x{80}…"/);
  });

  it('are not lost when a successor has registered before its predecessor goes', () => {
    const [first, second] = [named('same', 'Old'), named('same', 'New')];
    register(first);
    register(second);
    deregister(first);
    assert.equal(deviceById('same'), second);
    deregister(second);
    assert.equal(deviceById('same'), undefined);
  });
});
