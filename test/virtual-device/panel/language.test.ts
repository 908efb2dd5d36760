import assert from 'node:assert/strict';
import { VirtualDevice } from '../../../src/virtual-device/device';
import { PanelServer } from '../../../src/virtual-device/panel/server';
import { textsIn } from '../../editor/pages';
import { send } from '../../fixtures/signer';

const device = () => new VirtualDevice({ model: '8301', auth: 'none' });

describe('the language of the panel', () => {
  const devices = [device(), device()];
  const panels = new PanelServer(devices);
  let address: string;

  before(async () => {
    await Promise.all(devices.map((one) => one.start()));
    address = await panels.start(0);
  });
  after(async () => {
    await panels.stop();
    await Promise.all(devices.map((one) => one.stop()));
  });

  async function page(path: string, accepted?: string): Promise<string> {
    const headers: Record<string, string> =
      accepted === undefined ? {} : { 'Accept-Language': accepted, Host: new URL(address).host };
    const { status, text } = await send(address, 'GET', path, headers);
    assert.equal(status, 200, path);
    return text;
  }

  const languageOf = (text: string) => /^<!doctype html>\n<html lang="([^"]*)">/.exec(text)?.[1];

  it('is the one that the address asks for, with or without a country', async () => {
    const german = await page('/1/?lang=de');
    assert.equal(languageOf(german), 'de');
    assert.ok(german.includes('<h2 id="controls-title">Bedienung</h2>'));
    assert.equal(await page(`/1/?lang=${encodeURIComponent('de-"><script>')}`), german);
    for (const [asked, language] of [
      ['de-AT', 'de'],
      ['fr', 'fr'],
      ['es-ES', 'es'],
      ['en-US', 'en-US'],
      ['en', 'en-US'],
    ])
      assert.equal(languageOf(await page(`/1/?lang=${asked}`, 'de')), language, asked);
  });

  it('is else the first that the browser wants and we have, else English', async () => {
    for (const [accepted, language] of [
      [undefined, 'en-US'],
      ['', 'en-US'],
      ['nl, pt;q=0.8', 'en-US'],
      ['nl,fr-CH;q=0.9,de;q=0.8', 'fr'],
      ['en,de;q=0.5', 'en-US'],
      ['*', 'en-US'],
    ] as const)
      assert.equal(languageOf(await page('/1/', accepted)), language, accepted);
    assert.equal(languageOf(await page('/1/?lang=nl', 'es')), 'es');
  });

  it('is English where the address asks for what is no language of ours, and nothing of it is in the page', async () => {
    const english = await page('/1/');
    assert.equal(languageOf(english), 'en-US');
    for (const asked of ['xx', '', '__proto__', '../words/de', 'de.json', '"><script>', 'a'.repeat(8000)])
      assert.equal(await page(`/1/?lang=${encodeURIComponent(asked)}`), english, asked);
    for (const query of ['lang', 'lang[]=de', 'lang=%', 'lang=&lang=de'])
      assert.equal(await page(`/1/?${query}`), english, query);
  });

  it('is that of all its words, none of which can end the element that holds them', async () => {
    const html = await page('/1/?lang=fr');
    const [, json = ''] =
      /<script type="application\/json" id="panel-words">([^<]*)<\/script>/.exec(html) ?? [];
    assert.deepEqual(
      Object.entries(JSON.parse(json)).sort(),
      [...textsIn('locales', 'fr', 'panel.json')].sort(),
    );
    assert.doesNotMatch(html, /\{\{/);
  });

  it('goes along where an address leads on, and nothing else of what was asked for', async () => {
    for (const [path, location] of [
      ['/2?lang=de', '2/?lang=de'],
      ['/2?lang=nl', '2/'],
      ['/2?lang=//evil.example', '2/'],
    ] as const)
      assert.equal((await send(address, 'GET', path, {})).headers.location, location);
  });

  it('is that of the list of devices, too', async () => {
    const list = await page('/?lang=es');
    assert.equal(languageOf(list), 'es');
    assert.ok(list.includes('<h1>Dispositivos virtuales</h1>'));
    assert.match(list, /<li><a href="2\/\?lang=es">8301, firmware 5\.\d<\/a> http:/);
  });
});
