import type { Editor } from './editor';
import { firstSteps, wrongCertificate, wrongClock, wrongModel, wrongPassword } from './journeys';
import { NewUser } from './new-user';
import { fingerprintOf, type ProtectedDevice, startProtectedDevice } from './protected-device';
import { editorSession, session } from './session';

const look = () => Promise.resolve();

describe('a newcomer before an empty editor, without the README', () => {
  const shared = session([]);

  it('gets a strobe to flash when a relay input closes, hears of failures, and starts and clears an alert', async function () {
    const user = new NewUser(await shared.show());
    await firstSteps(user, look);
    await user.editor.check(this.test);
  });
});

/** Devices with one trouble each: the test's name, the options of the device, and the way of the newcomer. */
const troubles: readonly [
  string,
  { tls?: boolean },
  (user: NewUser, device: ProtectedDevice) => Promise<void>,
][] = [
  ['is told of a wrong password, and goes on', {}, (user, device) => wrongPassword(user, device, look)],
  ['is told of a wrong clock, and goes on', {}, (user, device) => wrongClock(user, device, look)],
  [
    'is shown an unknown certificate, trusts exactly that one, and goes on',
    { tls: true },
    async (user, device) => wrongCertificate(user, device, await fingerprintOf(device.address), look),
  ],
  ['is told of a wrong model, and what it lacks', {}, (user, device) => wrongModel(user, device, look)],
];

for (const [what, options, meet] of troubles) {
  describe('a newcomer whose first device is not as it was thought', () => {
    let editor: Editor;
    let device: ProtectedDevice;
    editorSession([], (opened) => {
      editor = opened;
    });
    before(async () => {
      device = await startProtectedDevice(options);
    });
    after(() => device.device.stop());

    it(what, async () => {
      const user = new NewUser(editor);
      await meet(user, device);
      await user.searchNothing();
    });
  });
}
