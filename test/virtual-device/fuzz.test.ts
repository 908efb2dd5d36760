import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { ownHost } from '../fixtures/listening';
import { sendJson } from '../fixtures/signer';
import { fuzz } from './fuzz';

describe('the virtual device under random requests', () => {
  for (const auth of ['standard', 'none'] as const)
    it(`neither crashes nor ${auth === 'none' ? 'shows a bug' : 'lets one through'} (authentication ${auth})`, async () => {
      const device = new VirtualDevice({
        model: '8410',
        auth,
        password: 'right',
        rebootMs: 0,
        host: ownHost,
      });
      const address = await device.start();
      try {
        const findings = await fuzz(device, { seed: 5, requests: 1500, isLocked: auth === 'standard' });
        assert.deepEqual([findings.letThrough, findings.bugs], [[], []]);
        assert.ok(findings.answered > 300, `${findings.answered} of ${findings.sent} were answered`);
        assert.equal(
          (await sendJson(address, 'GET /api/info/about', undefined, { password: 'right' })).status,
          200,
        );
      } finally {
        await device.stop();
      }
    });
});
