import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createNonce, targetTag, wasMadeForOther } from '../../src/client/authentication';

describe('client: nonces of Node-RED', () => {
  const horn = targetTag('10.0.0.5', 80);
  const here = targetTag('10.0.0.1', 1880);
  const isForOther = (nonce: string, password: string, ...own: string[]) =>
    wasMadeForOther(nonce, password, () => own);

  it('are recognized, and so are their targets', () => {
    for (let time = 0; time < 1_000; time += 1) {
      const nonce = createNonce(horn, 'sesame');
      assert.equal(isForOther(nonce, 'sesame', here), true);
      assert.equal(isForOther(nonce, 'sesame', here, horn), false);
    }
    assert.equal(isForOther(createNonce(undefined, 'sesame'), 'sesame', here), true);
  });

  it('are recognized by all of their random part', () => {
    const nonce = createNonce(horn, 'sesame');
    for (let place = 0; place < 26; place += 1) {
      const digit = nonce[place] === '0' ? '1' : '0';
      const other = `${nonce.slice(0, place)}${digit}${nonce.slice(place + 1)}`;
      assert.equal(isForOther(other, 'sesame', here), false, other);
    }
  });

  it('are recognized by another process that has the password, and by no other one', () => {
    const file = JSON.stringify(require.resolve('../../src/client/authentication'));
    const program = `console.log(require(${file}).createNonce('${horn}', 'sesame'))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    const nonce = stdout.trim();
    assert.equal(isForOther(nonce, 'sesame', here), true, stderr);
    assert.equal(isForOther(nonce, 'sesame', horn), false);
    assert.equal(isForOther(nonce, 'another', here), false);
  });

  it('are not those of others', () => {
    for (let time = 0; time < 1_000; time += 1) {
      assert.equal(isForOther(randomBytes(16).toString('hex'), 'sesame', here), false);
    }
    const nonce = createNonce(horn, 'sesame');
    for (const other of ['', 'n-1', nonce.slice(1), `${nonce}0`, nonce.toUpperCase().padEnd(33, 'x')]) {
      assert.equal(isForOther(other, 'sesame', here), false, other);
    }
  });

  it('have tags that differ by host and port', () => {
    const tags = [horn, here, targetTag('10.0.0.5', 8080), targetTag('10.0.0.6', 80)];
    assert.equal(new Set(tags).size, 4);
    for (const tag of tags) assert.match(tag, /^[0-9a-f]{6}$/);
  });
});
