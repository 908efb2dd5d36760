import assert from 'node:assert/strict';
import { isAsDeployed, passwordFor, readDialog } from '../../../src/runtime/admin/dialog-values';

const environment: Record<string, string> = { '${HALL}': '192.0.2.10', '${PW}': 'hunter9' };
const resolve = (value: string) => environment[value] ?? value;
const deployed = {
  properties: { address: '192.0.2.10', auth: 'basic', timeout: 10 },
  password: 'hunter2',
};
const dialog = (values: object, password?: string) =>
  readDialog({ id: 'door', values: { auth: 'basic', ...values }, password }, resolve);

describe('what a dialog sends of a device', () => {
  it('is as deployed, whatever was left out or is an environment variable', () => {
    assert.equal(isAsDeployed(dialog({ address: '${HALL}', timeout: '' }), deployed), true);
    assert.equal(isAsDeployed(dialog({ address: '192.0.2.10', certificate: 'verify' }), deployed), true);
  });

  it('is not as deployed once anything is other than that', () => {
    const others: [object, string?][] = [
      [{ address: '192.0.2.11' }],
      [{ address: '192.0.2.10', auth: 'standard' }],
      [{ address: '192.0.2.10', certificate: 'any' }],
      [{ address: '192.0.2.10', tls: 'other' }],
      [{ address: '192.0.2.10', virtual: 'v' }],
      [{ address: '192.0.2.10' }, 'typed'],
      [{ address: '192.0.2.10' }, ''],
    ];
    for (const [values, password] of others)
      assert.equal(isAsDeployed(dialog(values, password), deployed), false, JSON.stringify(values));
    assert.equal(isAsDeployed(dialog({ address: '192.0.2.10' }), undefined), false);
    const open = { properties: deployed.properties, password: '' };
    assert.equal(isAsDeployed(dialog({ address: '192.0.2.10' }, 'typed'), open), false);
    assert.equal(isAsDeployed(dialog({ address: '192.0.2.10' }, ''), open), true);
  });

  it('gets the stored password for the stored address, however that is written', () => {
    for (const address of ['192.0.2.10', 'https://192.0.2.10', ' 192.0.2.10:443', 'https://192.0.2.10/'])
      assert.equal(passwordFor(dialog({ address, auth: 'standard' }), deployed, resolve), 'hunter2', address);
  });

  it('gets the stored password for no other address', () => {
    const others = [
      ['192.0.2.11', 'http://192.0.2.10', '192.0.2.10:8443', '192.0.2.10/base', '192.0.2.10.example'],
      ['user@192.0.2.10', 'https://192.0.2.10@evil.example', '', 'not an address', '${NOPE}'],
    ].flat();
    for (const address of others)
      assert.equal(passwordFor(dialog({ address }), deployed, resolve), undefined, address);
    assert.equal(passwordFor(dialog({ address: '192.0.2.10' }), undefined, resolve), undefined);
    const virtual = { ...deployed, properties: { ...deployed.properties, virtual: 'v' } };
    assert.equal(passwordFor(dialog({ address: '192.0.2.10' }), virtual, resolve), undefined);
    const nowhere = { properties: { address: '' }, password: 'hunter2' };
    assert.equal(passwordFor(dialog({ address: '' }), nowhere, resolve), undefined);
  });

  it('sends a typed password anywhere, one of the environment only to the stored address', () => {
    assert.equal(passwordFor(dialog({ address: '192.0.2.99' }, 'mine'), deployed, resolve), 'mine');
    assert.equal(passwordFor(dialog({ address: '192.0.2.10' }, '${PW}'), deployed, resolve), 'hunter9');
    assert.equal(passwordFor(dialog({ address: '192.0.2.99' }, '${PW}'), deployed, resolve), undefined);
  });

  it('is read whatever was sent', () => {
    for (const body of [undefined, null, 'x', [], { id: {}, values: 7, password: {} }]) {
      const { id, password } = readDialog(body, resolve);
      assert.equal(typeof id, 'string');
      assert.equal(password, undefined);
    }
  });
});
