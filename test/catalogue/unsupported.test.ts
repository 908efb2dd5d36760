import assert from 'node:assert/strict';
import { findUnsupported, Requirements } from '../../src/catalogue/compatibility';
import type { Operation } from '../../src/catalogue/operation';
import { includesModel, otherModels, productClasses } from '../../src/catalogue/product-classes';
import { faultOf } from '../../src/catalogue/sentence';
import { compareFirmware, firmwareIn, modelIn } from '../../src/runtime/device/identity';
import { everyOperation, operationNamed } from './check';

/** Whether an operation is about the same device output. */
const isOf = (
  deviceOutput: NonNullable<Operation['deviceOutput']>,
  { deviceOutput: other }: Operation,
): boolean => other?.name === deviceOutput.name;

const [lock, munlock] = [operationNamed('door/lock'), operationNamed('door/munlock')];
const apply = operationNamed('scheduler/apply');

describe('who a device is', () => {
  it('finds the product number in what devices call themselves', () => {
    const names: [string, string | undefined][] = [
      ['Algo 8301 IP Paging Adapter & Scheduler', '8301'],
      ['Algo 8186 SIP Horn Speaker', '8186'],
      ['Algo 8190S IP Speaker - Clock & Visual Alerter', '8190S'],
      ['Algo 8190 SIP Speaker', '8190'],
      ['Algo 8180G2 IP Audio Alerter', '8180'],
      ['8190s', '8190S'],
      ['Algo 8180Speaker', '8180'],
      ['Something 18301', undefined],
      ['', undefined],
    ];
    for (const [name, model] of names) assert.equal(modelIn(name), model, name);
  });

  it('finds the firmware in what devices call it', () => {
    assert.equal(firmwareIn('5.5_beta11'), '5.5');
    assert.equal(firmwareIn('5.3.4'), '5.3.4');
    assert.equal(firmwareIn('unknown'), undefined);
  });

  it('orders versions by number, not by letter', () => {
    assert.ok(compareFirmware('5.10', '5.9') > 0);
    assert.ok(compareFirmware('5.3.4', '5.4') < 0);
    assert.equal(compareFirmware('5.4', '5.4.0'), 0);
  });
});

describe('what a model or firmware lacks', () => {
  it('lets everything through that is not known', () => {
    assert.equal(findUnsupported(lock, {}, {}), undefined);
    assert.equal(findUnsupported(munlock, {}, { model: '8063' }), undefined);
  });

  it('lets what can be started be stopped, and what can be written be read back', () => {
    const everyModel = [...Object.values(productClasses).flat(), ...otherModels];
    const unsupported = (operation: Operation, model: string) =>
      findUnsupported(operation, {}, { model }) !== undefined;
    const all = [...everyOperation];
    const pairs = all.flatMap(([name, operation]) => {
      const { deviceOutput, isStop, confirm } = operation;
      const by =
        deviceOutput && !isStop ? all.filter(([, other]) => other.isStop && isOf(deviceOutput, other)) : [];
      const read = confirm ? [[confirm.by, operationNamed(confirm.by)] as const] : [];
      return [...by, ...read].map(([needed, other]) => ({ name, operation, needed, other }));
    });
    assert.ok(pairs.length > 10, `only ${pairs.length} pairs`);
    const missing = pairs.flatMap(({ name, operation, needed, other }) =>
      everyModel
        .filter((model) => !unsupported(operation, model) && unsupported(other, model))
        .map((model) => `the ${model} has ${name} and lacks ${needed}`),
    );
    assert.deepEqual(missing, []);
  });

  it('never locks out a model that the document does not name', () => {
    assert.equal(includesModel({ models: ['8063'] }, '8999'), undefined);
    assert.equal(includesModel({ models: ['8063'] }, '8312'), false);
    assert.equal(includesModel({ except: ['8450'] }, '8450'), false);
    assert.equal(includesModel({ except: ['8450'] }, '8999'), true);
  });

  it('gives streams in the calendar to the 8301 only, also in a group', () => {
    const event = { event_type: 'stream_audio', name: 'Radio' };
    for (const given of [{ events: [{ evid: 1 }, event] }, { groups: [{ groupid: 1, events: [event] }] }]) {
      assert.equal(findUnsupported(apply, given, { model: '8301' }), undefined);
      const { because, sentence } = findUnsupported(apply, given, { model: '8305' }) ?? assert.fail();
      const { reason, details } = faultOf(sentence);
      assert.deepEqual(
        [because, String(reason), ...details.map(String)],
        ['model', 'not supported by the 8305', 'event_type stream_audio is supported by: 8301'],
      );
    }
    assert.equal(
      findUnsupported(apply, { events: [{ event_type: 'sip_call' }] }, { model: '8305' }),
      undefined,
    );
  });

  it('asks a device who it is only where that can matter', () => {
    assert.equal(new Requirements(lock, {}).dependOnIdentity, true);
    const everywhere = { ...lock, products: 'all' as const };
    assert.equal(new Requirements(everywhere, {}).dependOnIdentity, false);
    assert.equal(new Requirements({ ...everywhere, firmware: '5.7' }, {}).dependOnIdentity, true);
  });
});
