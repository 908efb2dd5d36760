import assert from 'node:assert/strict';
import type { Turn } from '../../src/client/client';
import { DeviceError } from '../../src/client/errors';
import { SchedulerSession } from '../../src/runtime/bells/scheduler-session';
import type { DeliveryContext } from '../../src/runtime/message/hooks';

describe("one message's turn at a scheduler", () => {
  it('has the time on the wire of its change, also where the answer was lost and the schedule read again', async () => {
    const answers = [
      { statusCode: 200, body: { events: [] }, attempts: 1, wireMs: 3 },
      new DeviceError('TIMEOUT', 'no answer', { outcome: 'unknown', sent: true, attempts: 1, wireMs: 4_000 }),
      { statusCode: 200, body: { events: [] }, attempts: 1, wireMs: 5 },
    ];
    const call = async () => {
      const next = answers.shift();
      if (!next || next instanceof DeviceError) throw next;
      return next;
    };
    const session = new SchedulerSession({} as DeliveryContext, { call } as unknown as Turn, {});
    await session.database().catch(() => undefined);
    await assert.rejects(session.apply({}), { code: 'TIMEOUT' });
    await session.database().catch(() => undefined);
    assert.equal(session.answer({}).wireMs, 4_000);
  });
});
