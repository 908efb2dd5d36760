import assert from 'node:assert/strict';
import type { Address } from '../../../src/virtual-device/calls/address';
import { withDevice } from '../with-device';
import { calls, entry, happen, withTarget } from './target';

const loopback: Address[] = [{ address: '127.0.0.1', family: 4 }];

/** A lookup whose questions stay open until the test answers them. */
function slowLookup() {
  const asked: string[] = [];
  const open: ((addresses: Address[]) => void)[] = [];
  const lookup = (name: string): Promise<Address[]> => {
    asked.push(name);
    return new Promise((resolve) => open.push(resolve));
  };
  return { asked, lookup, answer: (addresses = loopback) => open.shift()?.(addresses) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the names of targets', () => {
  it('are resolved one at a time for all devices of the process, so that other lookups find a thread', () => {
    const { asked, lookup, answer } = slowLookup();
    return withDevice({ lookup, auth: 'none' }, (one) =>
      withDevice({ lookup, auth: 'none' }, async (other) => {
        await happen(one, { ...entry, target: 'first.invalid:1' });
        await happen(other, { ...entry, target: 'second.invalid:1' });
        await turn();
        assert.deepEqual(asked, ['first.invalid']);
        answer();
        await calls(one.device, 1);
        assert.deepEqual(asked, ['first.invalid', 'second.invalid']);
        answer();
        assert.equal((await calls(other.device, 1))[0]?.reason, 'no program listens there (ECONNREFUSED)');
      }),
    );
  });

  it('are resolved once for all calls that wait for the same name', () => {
    const { asked, lookup, answer } = slowLookup();
    return withTarget(({ place, requests }) =>
      withDevice({ lookup, auth: 'none' }, async (fixture) => {
        const target = `same.invalid:${place.split(':')[1]}`;
        const commands = [1, 2, 3].map(() =>
          fixture.device.controls.call({ ...entry, target, auth: 'none' }),
        );
        await turn();
        answer();
        await Promise.all(commands);
        assert.deepEqual([asked.length, requests.length], [1, 3]);
      }),
    );
  });

  it('are not resolved for a call that has ended meanwhile, and a slow one holds no further ones for ever', () => {
    const { asked, lookup, answer } = slowLookup();
    return withTarget(({ place, requests }) =>
      withDevice({ lookup, auth: 'none' }, async (fixture) => {
        const call = (name: string) =>
          fixture.device.controls
            .call({ ...entry, target: `${name}:${place.split(':')[1]}`, auth: 'none' })
            .then(
              ({ status }) => String(status),
              ({ message }: Error) => message,
            );
        const early = ['slow.invalid', 'waits.invalid'].map(call);
        await turn();
        fixture.clock.advance(5000);
        const late = (name: string) => `${name} was not resolved within 5 s`;
        assert.deepEqual(await Promise.all(early), [late('slow.invalid'), late('waits.invalid')]);
        const next = call('next.invalid');
        await turn();
        assert.deepEqual(asked, ['slow.invalid']);
        answer();
        await turn();
        assert.deepEqual(asked, ['slow.invalid', 'next.invalid']);
        answer();
        assert.equal(await next, '200');
        assert.equal(requests.length, 1);
      }),
    );
  });

  it('hold no call to an address, and none to localhost', () => {
    const { lookup, answer } = slowLookup();
    return withTarget(({ place, requests }) =>
      withDevice({ lookup, auth: 'none' }, async (fixture) => {
        const port = place.split(':')[1];
        const call = (target: string) => fixture.device.controls.call({ ...entry, target, auth: 'none' });
        const slow = call(`slow.invalid:${port}`);
        for (const target of [place, `LocalHost:${port}`]) assert.equal((await call(target)).status, 200);
        answer();
        await slow;
        assert.equal(requests.length, 3);
      }),
    );
  });

  it('take of the 5 s of their call', () => {
    const { lookup, answer } = slowLookup();
    return withTarget(
      ({ place, requests }) =>
        withDevice({ lookup }, async (fixture) => {
          await happen(fixture, { ...entry, target: `slow.invalid:${place.split(':')[1]}` });
          await turn();
          fixture.clock.advance(3000);
          answer();
          while (requests.length < 1) await turn();
          fixture.clock.advance(1999);
          assert.equal(fixture.device.calls.length, 0);
          fixture.clock.advance(1);
          assert.equal((await calls(fixture.device, 1))[0]?.outcome, 'timed-out');
        }),
      () => undefined,
    );
  });
});
