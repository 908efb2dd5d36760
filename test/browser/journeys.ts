import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { wording, wordingIn } from '../fixtures/wording';
import type { NewUser } from './new-user';
import type { ProtectedDevice } from './protected-device';

/** What is worth a picture: the name of the picture, and what is to be seen on it. */
export type Look = (name: string, seen: Locator | Page) => Promise<unknown>;

/** The first flow: a strobe that flashes, a Catch node for what fails, and an alert for a group. */
export async function firstSteps(user: NewUser, look: Look): Promise<void> {
  await flashOnRelay(user, look);
  await catchFailures(user);
  await startAlert(user, look);
}

/** Two nodes and a device that is not there, out of nothing: the strobe flashes when the relay input closes. */
async function flashOnRelay(user: NewUser, look: Look): Promise<void> {
  await user.drag('strobe', 'strobe', 640, 300);
  await user.open('strobe');
  await user.add('Device');
  await user.write('Name', 'Hall light');
  await user.reads(wording('device:help.virtual'));
  await user.add(wording('device:label.virtual'));
  await user.write('Name', 'Practice light');
  await user.leave('Add');
  await user.press('Test');
  await user.reads(wordingIn('device:test.virtual'));
  await user.leave('Add');
  await user.select('Operation', 'Flash');
  const unsupported = await user.reads(wordingIn('shared:form.unsupported.model', { what: '8301' }));
  assert.match(unsupported, wordingIn('phrases:on', { products: '8128, 8138, 8190S, 8410 and 8420' }));
  await look('unsupported', user.dialog);
  await user.change('Device');
  await user.change(wording('device:label.virtual'));
  await user.write('Model', '8138');
  await user.leave('Update');
  await user.leave('Update');
  await user.dialog.getByText(wordingIn('shared:form.unsupported.model')).waitFor({ state: 'hidden' });
  for (const choice of ['slow', 'red', 'high']) await user.press(choice);
  await user.leave('Done');

  await user.drag('relay', 'relay input', 440, 160);
  await user.open('relay input');
  await user.select('Device', 'Hall light');
  await user.leave('Done');
  await user.wire('relay input · Hall light', 'Flash slow red high → Hall light');
  await user.deploy();
  await user.node('relay input').getByText('idle').waitFor();

  await user.open('Flash slow red high → Hall light');
  const panel = await user.panel();
  await panel.getByText(wording('panel:strobe.dark')).waitFor();
  await panel.getByRole('switch', { name: 'Relay input: idle' }).click();
  await panel.getByText('Flashing red', { exact: true }).waitFor();
  await look('panel', panel);
  await panel.close();
  await user.page.bringToFront();
  await user.leave('Done');
  await user.node('relay input').getByText('active').waitFor();
  await user.node('Flash slow red high').getByText('accepted').waitFor();
  await look('flow', user.page);
}

/** After `flashOnRelay`: an inject node starts the strobe, and a Catch node tells when that fails. */
async function catchFailures(user: NewUser): Promise<void> {
  const strobe = 'Flash slow red high → Hall light';
  await user.drag('inject', 'inject', 420, 230);
  await user.open('timestamp');
  await user.write('Name', 'Flash');
  await user.leave('Done');
  await user.wire(/^Flash$/, strobe);
  await user.drag('catch', 'catch', 420, 370);
  await user.drag('debug', 'debug', 640, 370);
  await user.wire('catch', 'debug');
  await user.deploy();
  await user.open(strobe);
  const panel = await user.panel();
  await panel.getByText(wording('panel:controls.troubles'), { exact: true }).click();
  const api = panel.getByRole('switch', { name: wording('panel:trouble.api') });
  await api.click();
  await user.page.bringToFront();
  await user.leave('Done');
  await user.inject(/^Flash$/);
  await user.node(strobe).getByText('wrong password, method or clock').waitFor();
  await user.page.evaluate('RED.sidebar.show("debug")');
  await user.page.locator('.red-ui-debug-msg').first().waitFor();
  await api.click();
  await panel.close();
  await user.page.bringToFront();
  await user.inject(/^Flash$/);
  await user.node(strobe).getByText('accepted').waitFor();
}

/** After `catchFailures`: an alert at all devices of a group, and its all-clear. */
async function startAlert(user: NewUser, look: Look): Promise<void> {
  await user.drag('alert', 'alert', 640, 460);
  await user.open(/^alert$/);
  await user.write('Name', 'Lockdown');
  await user.select('Send to', 'a group');
  await user.add('Group');
  await user.write('Name', 'All lights');
  await user.dialog.getByText('Hall light').first().click();
  await user.leave('Add');
  await user.dialog.getByLabel(wording('alert:action.choice')).selectOption({ label: 'Strobe: Flash' });
  await user.press(wording('alert:action.add'));
  for (const choice of ['slow', 'red', 'high']) await user.press(choice);
  await user.leave('Done');
  for (const [y, name] of [
    [440, 'Start'],
    [500, 'All-clear'],
  ] as const) {
    await user.drag('inject', 'inject', 420, y);
    await user.open('timestamp');
    await user.write('Name', name);
    if (name === 'All-clear') await user.setSecondProperty('operation', 'clear');
    await user.leave('Done');
    await user.wire(name, 'Lockdown');
  }
  await user.deploy();
  await user.inject('Start');
  await user.node('Lockdown').getByText('on 1/1').waitFor();
  await look('alert', user.page);
  await user.inject('All-clear');
  await user.node('Lockdown').getByText('idle').waitFor();
}

/** From the palette to the dialog of a device that is there, filled in. */
async function meet(
  user: NewUser,
  word: string,
  name: string,
  { address, password }: ProtectedDevice,
): Promise<void> {
  await user.drag(word, name, 640, 300);
  await user.open(name);
  await user.add('Device');
  await user.write('Name', 'Hall');
  await user.write('Address', address);
  await user.write('Password', password);
}

/** Deploys, lets an inject node ask the device who it is, and waits until it has said so. */
async function useIt(user: NewUser): Promise<void> {
  await user.leave('Add');
  await user.select('Operation', 'Identity');
  await user.leave('Done');
  await user.drag('inject', 'inject', 440, 160);
  await user.wire('timestamp', 'Identity → Hall');
  await user.deploy();
  await user.editor.press(user.node('timestamp').locator('.red-ui-flow-node-button'));
  await user.node('Identity → Hall').getByText('accepted').waitFor();
}

/** A password that is another one. */
export async function wrongPassword(
  user: NewUser,
  protectedDevice: ProtectedDevice,
  look: Look,
): Promise<void> {
  await meet(user, 'info', 'info', { ...protectedDevice, password: 'guess' });
  await user.press('Test');
  await user.reads(wording('device:test.loginButClock'));
  await user.reads(wording('device:test.cause.password'));
  await user.reads(wording('device:test.cause.notClock'));
  await look('password', user.dialog);
  await user.write('Password', protectedDevice.password);
  await user.press('Test');
  await user.reads('Connected');
  await useIt(user);
}

/** A clock that is two hours slow. */
export async function wrongClock(user: NewUser, protectedDevice: ProtectedDevice, look: Look): Promise<void> {
  await protectedDevice.device.carryOut('clock', { ahead: -7200 });
  await meet(user, 'info', 'info', protectedDevice);
  await user.press('Test');
  const sentence = await user.reads(wordingIn('device:test.clockBehind'));
  assert.match(sentence, wordingIn('device:test.clockBehind', { time: '2 h' }));
  assert.match(sentence, wordingIn('device:test.clockAllowed'));
  await look('clock', user.dialog);
  await useIt(user);
}

/** A certificate that the device made itself. */
export async function wrongCertificate(
  user: NewUser,
  protectedDevice: ProtectedDevice,
  fingerprint: string,
  look: Look,
): Promise<void> {
  await meet(user, 'info', 'info', protectedDevice);
  await user.press('Test');
  await user.reads(wording('device:test.certificate'));
  await user.reads(wording('device:test.fingerprint', { fingerprint }));
  await look('certificate', user.dialog);
  await user.press(wording('device:test.trust'));
  await user.reads(wording('device:test.trusted'));
  assert.equal(await user.field('Fingerprint').inputValue(), fingerprint);
  await user.press('Test');
  await user.reads('Connected');
  await user.reads('Authentication: Standard (signed), over HTTPS.');
  await useIt(user);
}

/** A model that is another one than was thought, and does not support the operation. */
export async function wrongModel(user: NewUser, protectedDevice: ProtectedDevice, look: Look): Promise<void> {
  await meet(user, 'strobe', 'strobe', protectedDevice);
  await user.write('Model', '8138');
  await user.press('Test');
  await user.reads(wording('device:test.other.model', { set: '8138', said: '8301' }));
  await look('model', user.dialog);
  await user.press(wording('device:test.fill', { said: '8301' }));
  assert.equal(await user.field('Model').inputValue(), '8301');
  await user.leave('Add');
  await user.select('Operation', 'Flash');
  await user.reads(wordingIn('shared:form.unsupported.model', { what: '8301' }));
}
