import assert from 'node:assert/strict';
import type { VirtualDeviceOptions } from '../../../src/virtual-device/device';
import { ask } from '../../fixtures/signer';
import { type DeviceFixture, withDevice } from '../with-device';
import { image, misplaced, refused, START, strobe, TEXT, taken, templates, text } from './screen-bodies';

/** Runs a test on a display that has the files which the bodies here name. */
function withDisplay(
  options: VirtualDeviceOptions,
  test: (fixture: DeviceFixture) => Promise<void>,
): Promise<void> {
  return withDevice({ model: '8410', ...options }, async (fixture) => {
    const { address, clock } = fixture;
    const type = 'application/octet-stream';
    for (const name of ['a.png', 'b.png', 'sky.png', 'a', 'b']) {
      const path = `/api/files/images/${name}`;
      assert.equal((await ask(address, 'PUT', path, { now: clock.now(), body: name, type })).status, 200);
    }
    await test(fixture);
  });
}

describe('the virtual device: screens (section 4.8)', () => {
  it('refuses images that it does not have, all of them by name', () =>
    withDisplay({}, async ({ device, sendJson }) => {
      const absent: readonly [string, object, string[]][] = [
        ['one', { ...image, image1: 'c.png' }, ['image1']],
        ['two', { type: 'blitz', image1: 'c.png', image2: 'd.png' }, ['image1', 'image2']],
        ['behind a clock', { type: 'analogClock', clockBgImage: 'c.png' }, ['clockBgImage']],
        ['in a header', { type: 'template', template: 'school_time', icon1: 'c.png', icon2: 'b' }, ['icon1']],
      ];
      for (const [what, body, fields] of absent) {
        const { status, text } = await sendJson(START, body);
        assert.equal(status, 400, what);
        const mistakes = fields.map((field) => {
          const name = JSON.stringify(Object.entries(body).find(([key]) => key === field)?.[1]);
          return `${field}: there is no image ${name} in the file manager`;
        });
        assert.equal(JSON.parse(text).error, mistakes.join('; '), what);
      }
      assert.equal(device.state.screen, null);
      assert.equal((await sendJson(START, { ...image, image1: 'images/a.png' })).status, 200);
    }));

  it('takes any image before 5.5: files come by the web page only then', () =>
    withDevice({ model: '8410', firmware: '5.3.4' }, async ({ sendJson }) => {
      assert.equal((await sendJson(START, image)).status, 200);
    }));

  it('takes every variant and shows what it was given', () =>
    withDisplay({}, async ({ device, sendJson }) => {
      for (const [what, body] of taken) {
        const reply = await sendJson(START, body);
        assert.deepEqual([reply.status, reply.text], [200, ''], what);
        assert.deepEqual(device.state.screen, body, what);
      }
    }));

  it('refuses what fits no variant', () =>
    withDisplay({}, async ({ device, sendJson }) => {
      for (const [what, body] of refused) {
        const reply = await sendJson(START, body);
        assert.equal(reply.status, 400, what);
        assert.equal(typeof JSON.parse(reply.text).error, 'string', what);
      }
      assert.equal(device.state.screen, null);
    }));

  it('takes all 21 templates with all of their fields, and those of no other', () =>
    withDisplay({ model: '8420' }, async ({ sendJson }) => {
      assert.equal(Object.keys(templates).length, 21);
      for (const [template, fields] of Object.entries(templates)) {
        const body = { type: 'template', template, showWeather: false, stopAfter: 5, ...strobe, ...fields };
        assert.equal((await sendJson(START, body)).text, '', template);
      }
      for (const [template, fields] of Object.entries(misplaced))
        assert.equal(
          (await sendJson(START, { type: 'template', template, ...fields })).status,
          400,
          template,
        );
      const dark = { type: 'template', template: 'reminder', strobeFlash: 15 };
      assert.equal((await sendJson(START, dark)).status, 200);
    }));

  it('returns to default after stopAfter, or when told', () =>
    withDisplay({}, async ({ device, clock, sendJson }) => {
      await sendJson(START, { ...image, stopAfter: 60 });
      clock.advance(59_999);
      assert.notEqual(device.state.screen, null);
      clock.advance(1);
      assert.equal(device.state.screen, null);
      await sendJson(START, { ...image, stopAfter: 60 });
      await sendJson(START, image);
      clock.advance(60_000);
      assert.deepEqual(device.state.screen, image);
      assert.equal((await sendJson('POST /api/controls/screen/stop')).text, '');
      assert.equal(device.state.screen, null);
    }));

  it('knows stopAfter from 5.7 on, and exists on displays', async () => {
    await withDisplay({ firmware: '5.6' }, async ({ sendJson }) => {
      assert.equal((await sendJson(START, image)).status, 200);
      assert.equal((await sendJson(START, { ...image, stopAfter: 1 })).status, 400);
      assert.equal((await sendJson(TEXT, { textContent: 'x' })).status, 404);
    });
    await withDevice({ model: '8190S' }, async ({ sendJson }) => {
      assert.equal((await sendJson(START, image)).status, 404);
      assert.equal((await sendJson('POST /api/controls/screen-text/stop')).status, 404);
    });
  });
});

describe('the virtual device: overlay text (section 4.9)', () => {
  it('draws text until its duration is over or it is removed', () =>
    withDisplay({}, async ({ device, clock, sendJson }) => {
      const body = { textContent: 'Fire drill', duration: 10, persistent: true, ...text };
      assert.equal((await sendJson(TEXT, body)).text, '');
      assert.deepEqual(device.state.overlay, body);
      clock.advance(10_000);
      assert.equal(device.state.overlay, null);
      await sendJson(TEXT, { textContent: 'x' });
      await sendJson('POST /api/controls/screen-text/stop');
      assert.equal(device.state.overlay, null);
      for (const wrong of [
        {},
        { textContent: 1 },
        { textContent: 'x', duration: '1' },
        { textContent: 'x', text1: 'y' },
      ])
        assert.equal((await sendJson(TEXT, wrong)).status, 400, JSON.stringify(wrong));
    }));

  it('keeps only persistent text when the content changes', () =>
    withDisplay({}, async ({ device, sendJson }) => {
      await sendJson(TEXT, { textContent: 'x' });
      await sendJson(START, image);
      assert.equal(device.state.overlay, null);
      await sendJson(TEXT, { textContent: 'x', persistent: true });
      await sendJson('POST /api/controls/screen/stop');
      assert.notEqual(device.state.overlay, null);
    }));
});
