import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { firstSeed, withRepeatCommand } from '../../fixtures/histories';
import { chance } from '../../fixtures/history';
import type { ChildRequest, ParentResponse } from './killed-process';

const kills = Number(process.env.ALGO_KILLS || 25);

/** What starts and ends at a device, and what may not be so. */
class Device {
  readonly counts = { start: 0, stop: 0, end: 0, kept: 0, arms: 0, drained: 0 };
  readonly wrong: string[] = [];
  /** How many programs there have been. */
  life = 0;
  readonly #deviceOutputs = Array.from({ length: 4 }, () => ({
    isOn: false,
    ends: false,
    isKept: false,
    past: [] as string[],
  }));

  constructor(private readonly random: () => number) {}

  /** @returns whether it does it */
  take({ kind, deviceOutput: index, ends }: ChildRequest): boolean {
    const deviceOutput = this.#deviceOutputs[index];
    assert.ok(deviceOutput);
    this.counts[kind] += 1;
    deviceOutput.past.push(`${this.life} ${kind}${ends ? ' to be ended' : ''}`);
    if (kind === 'drained') this.#judge();
    else if (kind === 'kept' || kind === 'arms') deviceOutput.isKept = kind === 'kept';
    else if (this.random() < 0.02) return false;
    else {
      if (kind === 'end' && deviceOutput.isKept)
        this.wrong.push(`${index} was ended in error: ${deviceOutput.past.slice(-8).join(', ')}`);
      Object.assign(deviceOutput, { isOn: kind === 'start', ends, isKept: false });
    }
    return true;
  }

  /** No end is to come. */
  #judge(): void {
    for (const [index, { isOn, ends }] of this.#deviceOutputs.entries()) {
      if (isOn && ends) this.wrong.push(`${index} was left on`);
    }
  }
}

describe('ends that Node-RED sends, killed at any moment', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'algo-ends-'));
  let child: ChildProcess | undefined;

  after(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it(`leave nothing on, and end nothing in error: ${kills} kills from ALGO_SEED=${firstSeed} on`, () =>
    withRepeatCommand(__filename, `ALGO_KILLS=${kills}`, async () => {
      const random = chance(firstSeed);
      const device = new Device(random);
      // Few kills can all come before an end: then there are more of them.
      for (let count = 0, isLast = false; !isLast; count += 1) {
        isLast = count >= 10 * kills || (count >= kills && device.counts.end > kills / 5);
        await live(device, random, isLast);
        assert.deepEqual(device.wrong, [], `after ${count} kills: ${JSON.stringify(device.counts)}`);
      }
      assert.ok(device.counts.end > kills / 5, `${device.counts.end} ends`);
    }));

  /** One life of the program, up to a moment that chance decides; the last one until nothing is to come. */
  async function live(device: Device, random: () => number, isLast: boolean): Promise<void> {
    device.life += 1;
    const victim = fork(path.join(__dirname, 'killed-process.js'), [folder, String(random() * 1e9)]);
    child = victim;
    // Some die while they still end what the one before them left on.
    let left = random() < 0.2 ? 1 : 3 + Math.floor(random() * 40);
    let isDoomed = false;
    const kill = () => victim.kill('SIGKILL');
    victim.on('message', (asked: ChildRequest) => {
      const done = device.take(asked);
      left -= 1;
      if (isLast ? asked.kind === 'drained' : left <= 0 && !isDoomed) {
        isDoomed = true;
        // Between two messages as well: while it writes, for example.
        if (isLast || random() < 0.3) kill();
        else setTimeout(kill, random() * 15);
      }
      const answer: ParentResponse = { number: asked.number, done };
      // It may be dead by now.
      if (victim.connected) victim.send(answer, () => {});
    });
    await once(victim, 'close');
    assert.equal(victim.signalCode, 'SIGKILL', 'it ended by itself');
  }
});
