import assert from 'node:assert/strict';
import { VirtualDevice } from '../../src/virtual-device/device';
import { makeCertificate } from '../fixtures/certificates';
import { ClientFixture } from '../fixtures/client-fixture';
import { wording, wordingIn } from '../fixtures/wording';
import { contrasts, contrastsInBoth } from './contrast';
import { type Editor, textOf } from './editor';
import { errorHelpOf } from './error-help';
import { namelessIn, snapshotOf } from './every-name';
import { cutIn } from './every-width';
import { editorSession } from './session';

const device = { type: 'algo-device', auth: 'standard', certificate: 'verify', timeout: 10 };
const flow = [
  { id: 'tab', type: 'tab', label: 'Test' },
  { id: 'virtual', type: 'algo-virtual-device', model: '8063', firmware: '5.7', auth: 'standard', port: 0 },
  { ...device, id: 'door', name: 'Door', virtual: 'virtual' },
  { ...device, id: 'hall', name: 'Hall', address: '192.0.2.1', model: '8301' },
  { ...device, id: 'slow', name: 'Slow', address: '192.0.2.2', timeout: 60 },
];

describe('"Test" in the dialog of a device', () => {
  const bench = new ClientFixture();
  let editor: Editor;
  let real: VirtualDevice;
  let address: string;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  before(async () => {
    // Scripts that an earlier file has loaded are not loaded again.
    await editor.reload();
    real = new VirtualDevice({ model: '8063', password: 'hunter2' });
    address = await real.start();
  });
  after(() => real?.stop());
  afterEach(async () => {
    await bench.clear();
    await editor.done('#node-config-dialog-cancel');
  });

  const field = (name: string) => editor.page.locator(`#node-config-input-${name}`);
  const found = () => editor.page.locator('#algo-device-found');
  const press = async () => {
    await editor.page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    await found().locator('li').first().waitFor();
  };
  const open = async (values: Readonly<Record<string, string>> = {}) => {
    await editor.editConfig('algo-device', 'hall');
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
  };
  /** Presses Test again and waits for a sentence. */
  const waitForText = async (words: RegExp) => {
    await press();
    await found().locator('li', { hasText: words }).first().waitFor();
  };

  /** The link of the report opens the section of a code, without a way back into the editor. */
  const leadsToHelpOf = async (code: string) => {
    const link = found().getByRole('link', { name: wording('device:test.errorHelp', { code }), exact: true });
    const has = await Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name)));
    assert.deepEqual(has, [errorHelpOf(code), '_blank', 'noopener noreferrer']);
  };

  it('is in sight at 900 px, and the other options are folded where they are as they come', async () => {
    const fold = () =>
      editor.page.locator('form:has(#node-config-input-address) details:has(#node-config-input-tls)');
    await editor.page.setViewportSize({ width: 1500, height: 900 });
    try {
      await open();
      const [form, button] = await Promise.all(
        ['.red-ui-tray-body >> visible=true', '#algo-device-test'].map((selector) =>
          editor.page.locator(selector).boundingBox(),
        ),
      );
      assert.ok(form && button && button.y + button.height < form.y + form.height);
      assert.equal(await field('timeout').isVisible(), false);
      assert.equal(await fold().getAttribute('open'), null);
      await editor.done('#node-config-dialog-cancel');
      await editor.editConfig('algo-device', 'slow');
      assert.equal(await field('timeout').isVisible(), true);
    } finally {
      await editor.page.setViewportSize({ width: 1500, height: 1000 });
    }
  });

  it('loads what asks only when it is pressed, and says what works, by keyboard', async () => {
    const loaded = () => editor.page.evaluate('Boolean(window.algoDevice)');
    await editor.editConfig('algo-device', 'door');
    assert.equal(await loaded(), false);
    await waitForText(/Connected: .*8063.*, firmware 5\.7/);
    assert.equal(await loaded(), true);
    assert.equal(await editor.page.evaluate('document.activeElement.id'), 'algo-device-test');
    const text = await textOf(found());
    assert.match(text, /Authentication: Standard \(signed\), over plain HTTP/);
    assert.match(text, /Round trip: \d+ ms/);
    assert.match(text, wordingIn('device:test.clockSame'));
    const form = editor.page.locator('form:has(#node-config-input-address)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    assert.deepEqual(await cutIn(editor.page), []);
    const stand = await contrasts(editor.page, '.algo-report li');
    assert.ok(stand.length > 3 && Math.min(...stand) >= 4.5, String(stand));
  });

  it('tells the causes of a wrong password that remain, and takes the right one', async () => {
    await open({ address, password: 'hunter3' });
    await waitForText(wordingIn('device:test.loginButClock'));
    const text = await textOf(found());
    for (const words of ['cause.api', 'cause.password', 'cause.auth', 'cause.notClock'])
      assert.match(text, wordingIn(`device:test.${words}`));
    assert.match(text, wordingIn('device:test.isProduct', { product: 'Algo 8063' }));
    assert.doesNotMatch(text, /hunter/);
    await leadsToHelpOf('AUTHENTICATION');
    await field('password').fill('hunter2');
    await waitForText(wordingIn('device:test.works'));
    assert.match(await textOf(found()), wordingIn('device:test.other.model', { set: '8301', said: '8063' }));
    await found()
      .getByRole('button', { name: wording('device:test.fill', { said: '8063' }) })
      .click();
    assert.equal(await field('model').inputValue(), '8063');
  });

  it('looks for no cause in a password or a signature where it sent none', async () => {
    await open({ address });
    await field('auth').selectOption('none');
    await waitForText(wordingIn('device:test.loginOpen'));
    const text = await textOf(found());
    assert.match(text, wordingIn('device:test.cause.api'));
    assert.match(text, /Authentication Method of the device is not None/);
    for (const cause of ['password', 'clock', 'notClock'])
      assert.doesNotMatch(text, wordingIn(`device:test.cause.${cause}`));
  });

  it('says nothing any more as soon as the dialog says another address or password', async () => {
    await open({ address, password: 'hunter2' });
    await waitForText(wordingIn('device:test.works'));
    await field('tags').fill('north');
    assert.match(await textOf(found()), wordingIn('device:test.works'));
    await field('password').fill('hunter3');
    assert.equal(await textOf(found()), '');
  });

  it('says that an edit while it asked makes the answer void, and what is wrong rather than missing', async () => {
    let asked: (answer: () => void) => void;
    const answered = new Promise<() => void>((resolve) => {
      asked = resolve;
    });
    const slow = await bench.http((_seen, response) => asked(() => void response.end('{}')));
    await open({ address: slow, password: 'hunter2' });
    await editor.page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    const answer = await answered;
    await field('password').fill('hunter3');
    answer();
    await found().getByText(wording('device:test.meanwhile')).waitFor();
    await field('address').fill('300.1.1.1');
    await waitForText(wordingIn('device:test.code.NOT_CONFIGURED'));
    await leadsToHelpOf('NOT_CONFIGURED');
  });

  it('links an error to its help, in a narrow dialog and to the keyboard too', async () => {
    await open({ address: 'http://127.0.0.1:1', password: 'hunter2' });
    await waitForText(wordingIn('device:test.code.UNREACHABLE'));
    await leadsToHelpOf('UNREACHABLE');
    const link = found().getByRole('link');
    await editor.page.getByRole('button', { name: 'Test', exact: true }).focus();
    await editor.page.keyboard.press('Tab');
    assert.equal(await link.evaluate((one) => one === one.ownerDocument.activeElement), true);
    assert.notEqual(await link.evaluate((one) => getComputedStyle(one).outlineStyle), 'none');
    assert.deepEqual(await cutIn(editor.page), []);
    const form = editor.page.locator('form:has(#node-config-input-address)');
    assert.deepEqual(namelessIn(await snapshotOf(form)), []);
    for (const [theme, stand] of await contrastsInBoth(editor.page, '.algo-report a'))
      assert.ok(stand.length === 1 && Math.min(...stand) >= 4.5, `${theme}: ${stand}`);
  });

  it('says that a device asks for no password', async () => {
    const product = { 'Product Name': 'Algo 8063', 'Firmware Version': '5.6' };
    const address = await bench.http((_seen, response) => void response.end(JSON.stringify(product)));
    await open({ address, password: 'whatever' });
    await waitForText(wordingIn('device:test.open'));
    assert.doesNotMatch(await textOf(found()), wordingIn('device:auth.standard'));
  });

  it('tells a wrong clock', async () => {
    await real.carryOut('clock', { ahead: -7200 });
    await open({ address, password: 'hunter2' });
    await waitForText(wordingIn('device:test.clockBehind', { time: '2 h' }));
    assert.match(await textOf(found()), wordingIn('device:test.clockAllowed'));
    await real.carryOut('clock', { ahead: 0 });
  });

  it('shows an unknown certificate, and trusts exactly that one', async () => {
    const own = await makeCertificate();
    const record = { 'Product Name': 'Algo <b>8063</b>', 'Firmware Version': '5.6' };
    const secure = await bench.https(own, (_seen, response) => void response.end(JSON.stringify(record)));
    await open({ address: secure, password: 'hunter2' });
    await waitForText(wordingIn('device:test.certificate'));
    assert.equal((await textOf(found())).split(own.fingerprint).length, 2, 'it is said once');
    await leadsToHelpOf('TLS_UNTRUSTED');
    assert.deepEqual(
      await found()
        .getByText(wording('reasons:certificateIs', { reason: wording('reasons:selfSigned') }), {
          exact: true,
        })
        .count(),
      1,
    );
    assert.match(await textOf(found()), /DNS:localhost, IP address: 127\.0\.0\.1/);
    assert.match(await textOf(found()), /Valid from \w+ \d+, 20\d\d at \d+:\d\d [AP]M until /);
    assert.equal(bench.seen.length, 0);
    await found()
      .getByRole('button', { name: wording('device:test.trust') })
      .click();
    assert.equal(await field('certificate').inputValue(), 'pin');
    assert.equal(await field('fingerprint').inputValue(), own.fingerprint);
    await waitForText(/Connected: Algo <b>8063<\/b>, firmware 5\.6/);
  });

  it('says to write http where there is no TLS, and writes it', async () => {
    await open({ address: address.replace('http:', 'https:'), password: 'hunter2' });
    await waitForText(wordingIn('device:test.wantsPlain'));
    await found()
      .getByRole('button', { name: `Use ${address}` })
      .click();
    assert.equal(await field('address').inputValue(), address);
    await waitForText(wordingIn('device:test.works'));
  });

  it('tells a stranger', async () => {
    const page = await bench.http((_seen, response) => void response.end('<title>My printer</title>'));
    await open({ address: page, password: 'hunter2' });
    await waitForText(wordingIn('device:test.stranger'));
  });
});
