import assert from 'node:assert/strict';
import { Failure } from '../../../src/client/failure';
import { Abort } from '../../../src/client/queue/entry';
import { ConcurrencyLimiter, type Permit } from '../../../src/runtime/message/concurrency-limiter';
import { VirtualClock } from '../../fixtures/virtual-clock';

/** A crowd whose targets come in, speak and leave as a test says. */
class Scene {
  readonly clock = new VirtualClock();
  readonly #limiter: ConcurrencyLimiter;
  readonly #visits = new Map<string, Permit>();
  readonly #aborts = new Map<string, Abort>();

  constructor(maxParallel: number) {
    this.#limiter = new ConcurrencyLimiter(maxParallel, this.clock);
  }

  /** @returns those that were let in, by the names they came with */
  get inside(): string {
    return [...this.#visits.keys()].join(' ');
  }

  async come(...names: string[]): Promise<void> {
    for (const name of names) {
      const abort = new Abort();
      this.#aborts.set(name, abort);
      Promise.resolve(this.#limiter.enter(abort)).then(
        (visit) => this.#visits.set(name, visit),
        () => {},
      );
    }
    await settled();
  }

  abortOf(name: string): Abort {
    const abort = this.#aborts.get(name);
    assert.ok(abort);
    return abort;
  }

  async leave(name: string): Promise<void> {
    const visit = this.#visits.get(name);
    assert.ok(visit);
    this.#limiter.leave(visit);
    await settled();
  }

  async wait(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }
}

/** All promises that need no time have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('runtime: the targets of a message that are spoken to at once', () => {
  it('lets so many in, and the next one as each leaves, in the order of their coming', async () => {
    const scene = new Scene(2);
    await scene.come('a', 'b', 'c', 'd');
    assert.equal(scene.inside, 'a b');
    await scene.leave('b');
    assert.equal(scene.inside, 'a b c');
    await scene.leave('a');
    assert.equal(scene.inside, 'a b c d');
  });

  it('counts none longer than a second, whatever it has on the wire', async () => {
    const scene = new Scene(2);
    await scene.come('dead 1');
    scene.abortOf('dead 1').onWire = true;
    await scene.wait(400);
    await scene.come('dead 2', 'dead 3', 'healthy');
    await scene.wait(599);
    assert.equal(scene.inside, 'dead 1 dead 2');
    await scene.wait(1);
    assert.equal(scene.inside, 'dead 1 dead 2 dead 3');
    await scene.wait(400);
    assert.equal(scene.inside, 'dead 1 dead 2 dead 3 healthy');
  });

  it('makes room once for each, whether its time is over or it leaves', async () => {
    const scene = new Scene(1);
    await scene.come('dead', 'a', 'b', 'c');
    await scene.wait(1_000);
    assert.equal(scene.inside, 'dead a');
    await scene.leave('dead');
    assert.equal(scene.inside, 'dead a');
    await scene.leave('a');
    await scene.leave('a');
    assert.equal(scene.inside, 'dead a b');
  });

  it('goes on looking at the others when one leaves', async () => {
    const scene = new Scene(2);
    await scene.come('a', 'dead');
    await scene.leave('a');
    await scene.wait(500);
    await scene.come('b', 'c');
    assert.equal(scene.inside, 'a dead b');
    await scene.wait(500);
    assert.equal(scene.inside, 'a dead b c');
  });

  it('passes over one that is given up while it waits', async () => {
    const scene = new Scene(1);
    await scene.come('a', 'b', 'c');
    scene.abortOf('b').abort(Failure.own('ABORTED', 'given up'));
    await scene.leave('a');
    assert.equal(scene.inside, 'a c');
  });

  it('leaves no timer when all have left, and begins to look again with the next', async () => {
    const scene = new Scene(1);
    await scene.come('a', 'b');
    assert.equal(scene.clock.pending, 1);
    await scene.leave('a');
    await scene.leave('b');
    assert.equal(scene.clock.pending, 0);
    await scene.come('dead', 'c');
    await scene.wait(1_000);
    assert.equal(scene.inside, 'a b dead c');
  });
});
