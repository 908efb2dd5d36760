import { flashOnRelay, wrongCertificate, wrongClock, wrongModel, wrongPassword } from './journeys';
import { NewUser } from './new-user';
import { fingerprintOf, type ProtectedDevice, startProtectedDevice } from './protected-device';
import { session } from './session';

describe('a newcomer before an empty editor, without the README', () => {
  const shared = session([]);
  const look = () => Promise.resolve();
  let user: NewUser;
  let protectedDevice: ProtectedDevice | undefined;

  beforeEach(async () => {
    user = await NewUser.openEditor(shared.nodeRed.url, shared.show);
  });
  afterEach(async function () {
    await user?.editor.check(this.currentTest);
    await protectedDevice?.device.stop();
    protectedDevice = undefined;
  });

  it('gets a strobe to flash when a relay input closes', () => flashOnRelay(user, look));

  it('is told of a wrong password, and goes on', async () => {
    protectedDevice = await startProtectedDevice();
    await wrongPassword(user, protectedDevice, look);
  });

  it('is told of a wrong clock, and goes on', async () => {
    protectedDevice = await startProtectedDevice();
    await wrongClock(user, protectedDevice, look);
  });

  it('is shown an unknown certificate, trusts exactly that one, and goes on', async () => {
    protectedDevice = await startProtectedDevice({ tls: true });
    await wrongCertificate(user, protectedDevice, await fingerprintOf(protectedDevice.address), look);
  });

  it('is told of a wrong model, and what it lacks', async () => {
    protectedDevice = await startProtectedDevice();
    await wrongModel(user, protectedDevice, look);
  });
});
