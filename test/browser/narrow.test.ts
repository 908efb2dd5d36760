import assert from 'node:assert/strict';
import { Editor } from './editor';
import { session } from './session';

const onTab = { z: 'tab', name: '', x: 200, y: 100, wires: [[], []] };
const action = {
  ...onTab,
  target: 'device',
  device: '',
  operation: 'lock',
  parametersType: 'form',
  form: {},
};

/** Where there is no configuration node yet, core's select of them holds one long sentence. */
const flow = [
  { id: 'tab', type: 'tab', label: 'Schmal', disabled: true },
  { ...onTab, id: 'remote', type: 'algo-remote', broker: '', sites: 'nord', ttl: '60' },
  { ...onTab, id: 'job', type: 'algo-remote', broker: '', job: { noun: 'strobe' }, ttl: '60' },
  { ...onTab, id: 'site', type: 'algo-site', broker: '', site: 'nord', rank: '0' },
  { ...action, id: 'door', type: 'algo-door' },
  { ...onTab, id: 'relay-input', type: 'algo-relay-input', target: 'device', device: '' },
];

describe('a dialog in German, on a small screen and without any configuration node', function () {
  this.timeout(120_000);
  const shared = session(flow);
  let editor: Editor;

  before(async () => {
    editor = await Editor.open(shared.browser, shared.nodeRed.url, async (page) => {
      await page.addInitScript(`localStorage.setItem('editor-language', 'de')`);
    });
    await editor.page.setViewportSize({ width: 750, height: 500 });
  });

  afterEach(function () {
    return editor.check(this.currentTest);
  });

  /** What reaches beyond the right edge of the form. */
  const beyond = (): Promise<string[]> =>
    editor.page.evaluate(`(() => {
      const form = document.querySelector('#dialog-form');
      const { right } = form.getBoundingClientRect();
      const seen = [...form.querySelectorAll('*')].filter((one) => one.checkVisibility());
      const out = seen.filter((one) => one.getBoundingClientRect().right > right + 1);
      return out.map((one) => one.tagName + ' ' + one.id + ' ' + one.className);
    })()`);

  for (const { id } of flow.slice(1)) {
    it(`has all rows of "${id}" within its width`, async () => {
      await editor.edit(id);
      assert.deepEqual(await beyond(), []);
      const [seen, whole]: number[] = await editor.page.evaluate(`(() => {
        const form = document.querySelector('#dialog-form');
        return [form.clientWidth, form.scrollWidth];
      })()`);
      assert.equal(whole, seen);
      await editor.done('#node-dialog-cancel');
    });
  }
});
