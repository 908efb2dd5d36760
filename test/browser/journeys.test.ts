import { fingerprintOf, furnish, type House } from './house';
import { flashOnRelay, wrongCertificate, wrongClock, wrongModel, wrongPassword } from './journeys';
import { Person } from './person';
import { session } from './session';

describe('a newcomer before an empty editor, without the README', () => {
  const shared = session([]);
  const look = () => Promise.resolve();
  let person: Person;
  let house: House | undefined;

  beforeEach(async () => {
    person = await Person.sitDown(shared.nodeRed.url, shared.show);
  });
  afterEach(async function () {
    await person?.editor.check(this.currentTest);
    await house?.device.stop();
    house = undefined;
  });

  it('gets a strobe to flash when a relay input closes', () => flashOnRelay(person, look));

  it('is told of a wrong password, and goes on', async () => {
    house = await furnish();
    await wrongPassword(person, house, look);
  });

  it('is told of a wrong clock, and goes on', async () => {
    house = await furnish();
    await wrongClock(person, house, look);
  });

  it('is shown an unknown certificate, trusts exactly that one, and goes on', async () => {
    house = await furnish({ tls: true });
    await wrongCertificate(person, house, await fingerprintOf(house.address), look);
  });

  it('is told of a wrong model, and what it lacks', async () => {
    house = await furnish();
    await wrongModel(person, house, look);
  });
});
