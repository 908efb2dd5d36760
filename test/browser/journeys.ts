import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { wording, wordingIn } from '../fixtures/wording';
import type { House } from './house';
import type { Person } from './person';

/** What is worth a picture: the name of the picture, and what is to be seen on it. */
export type Look = (name: string, seen: Locator | Page) => Promise<unknown>;

/** Two nodes and a device that is not there, out of nothing: the strobe flashes when the relay input closes. */
export async function flashOnRelay(person: Person, look: Look): Promise<void> {
  await person.drag('strobe', 'strobe', 640, 300);
  await person.open('strobe');
  await person.add('Device');
  await person.write('Name', 'Hall light');
  await person.reads(wording('device:help.virtual'));
  await person.add(wording('device:label.virtual'));
  await person.write('Name', 'Practice light');
  await person.leave('Add');
  await person.press('Test');
  await person.reads(wordingIn('device:test.virtual'));
  await person.leave('Add');
  await person.select('Operation', 'Flash');
  const unsupported = await person.reads(wordingIn('shared:form.unsupported.model', { what: '8301' }));
  assert.match(unsupported, wordingIn('phrases:on', { products: '8128, 8138, 8190S, 8410 and 8420' }));
  await look('unsupported', person.dialog);
  await person.change('Device');
  await person.change(wording('device:label.virtual'));
  await person.write('Model', '8138');
  await person.leave('Update');
  await person.leave('Update');
  await person.dialog.getByText(wordingIn('shared:form.unsupported.model')).waitFor({ state: 'hidden' });
  for (const choice of ['slow', 'red', 'high']) await person.press(choice);
  await person.leave('Done');

  await person.drag('relay', 'relay input', 440, 160);
  await person.open('relay input');
  await person.select('Device', 'Hall light');
  await person.leave('Done');
  await person.wire('relay input · Hall light', 'Flash slow red high → Hall light');
  await person.deploy();
  await person.node('relay input').getByText('idle').waitFor();

  await person.open('Flash slow red high → Hall light');
  const panel = await person.panel();
  await panel.getByText(wording('panel:strobe.dark')).waitFor();
  await panel.getByRole('switch', { name: 'Relay input: idle' }).click();
  await panel.getByText('Flashing red', { exact: true }).waitFor();
  await look('panel', panel);
  await panel.close();
  await person.page.bringToFront();
  await person.leave('Done');
  await person.node('relay input').getByText('active').waitFor();
  await person.node('Flash slow red high').getByText('accepted').waitFor();
  await look('flow', person.page);
}

/** From the palette to the dialog of a device that is there, filled in. */
async function meet(person: Person, word: string, name: string, { address, password }: House): Promise<void> {
  await person.drag(word, name, 640, 300);
  await person.open(name);
  await person.add('Device');
  await person.write('Name', 'Hall');
  await person.write('Address', address);
  await person.write('Password', password);
}

/** Deploys, lets an inject node ask the device who it is, and waits until it has said so. */
async function useIt(person: Person): Promise<void> {
  await person.leave('Add');
  await person.select('Operation', 'Identity');
  await person.leave('Done');
  await person.drag('inject', 'inject', 440, 160);
  await person.wire('timestamp', 'Identity → Hall');
  await person.deploy();
  await person.editor.press(person.node('timestamp').locator('.red-ui-flow-node-button'));
  await person.node('Identity → Hall').getByText('accepted').waitFor();
}

/** A password that is another one. */
export async function wrongPassword(person: Person, house: House, look: Look): Promise<void> {
  await meet(person, 'info', 'info', { ...house, password: 'guess' });
  await person.press('Test');
  await person.reads(wording('device:test.loginButClock'));
  await person.reads(wording('device:test.cause.password'));
  await person.reads(wording('device:test.cause.notClock'));
  await look('password', person.dialog);
  await person.write('Password', house.password);
  await person.press('Test');
  await person.reads('Connected');
  await useIt(person);
}

/** A clock that is two hours slow. */
export async function wrongClock(person: Person, house: House, look: Look): Promise<void> {
  house.device.controls.shiftClock(-7200);
  await meet(person, 'info', 'info', house);
  await person.press('Test');
  const sentence = await person.reads(wordingIn('device:test.clockBehind'));
  assert.match(sentence, wordingIn('device:test.clockBehind', { time: '2 h' }));
  assert.match(sentence, wordingIn('device:test.clockAllowed'));
  await look('clock', person.dialog);
  await useIt(person);
}

/** A certificate that the device made itself. */
export async function wrongCertificate(
  person: Person,
  house: House,
  fingerprint: string,
  look: Look,
): Promise<void> {
  await meet(person, 'info', 'info', house);
  await person.press('Test');
  await person.reads(wording('device:test.certificate'));
  await person.reads(wording('device:test.fingerprint', { fingerprint }));
  await look('certificate', person.dialog);
  await person.press(wording('device:test.trust'));
  await person.reads(wording('device:test.trusted'));
  assert.equal(await person.field('Fingerprint').inputValue(), fingerprint);
  await person.press('Test');
  await person.reads('Connected');
  await person.reads('Authentication: Standard (signed), over HTTPS.');
  await useIt(person);
}

/** A model that is another one than was thought, and does not support the operation. */
export async function wrongModel(person: Person, house: House, look: Look): Promise<void> {
  await meet(person, 'strobe', 'strobe', house);
  await person.write('Model', '8138');
  await person.press('Test');
  await person.reads(wording('device:test.other.model', { set: '8138', said: '8301' }));
  await look('model', person.dialog);
  await person.press(wording('device:test.fill', { said: '8301' }));
  assert.equal(await person.field('Model').inputValue(), '8301');
  await person.leave('Add');
  await person.select('Operation', 'Flash');
  await person.reads(wordingIn('shared:form.unsupported.model', { what: '8301' }));
}
