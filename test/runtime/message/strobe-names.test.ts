import assert from 'node:assert/strict';
import { strobe } from '../../../src/catalogue/strobe';
import type { Device } from '../../../src/runtime/device/device';
import { strobesByName } from '../../../src/runtime/message/strobe-names';
import { wordingIn } from '../../fixtures/wording';
import { deliveryOf } from './delivery';

const [start] = strobe.operations;
const device = { name: 'Gym', isClosed: true } as Device;

/** What a device of a model gets for these parameters. */
function adapted(parameters: Record<string, unknown>, model?: string) {
  const delivery = deliveryOf({ device, operation: start, parameters: {} });
  delivery.command.parameters = parameters;
  return strobesByName().adapt?.(delivery, model ? { model } : {});
}

describe('strobes by name (docs/field-notes.md, section 4)', () => {
  const numbers: [string, Record<string, number>][] = [
    ['steady', { '8128': 8, '8138': 8, '8190S': 0, '8410': 0, '8420': 0 }],
    ['Classic Strobe Fast', { '8128': 13, '8138': 13, '8190S': 7 }],
    ['Rotate Slow', { '8128': 1, '8138': 1 }],
    ['Multicolor Spin', { '8138': 2 }],
    ['Sparkle', { '8190S': 1 }],
    ['Triple Flash', { '8410': 14, '8420': 14 }],
  ];
  for (const [pattern, byModel] of numbers) {
    it(`gives each model its own number for ${pattern}`, () => {
      for (const [model, number] of Object.entries(byModel)) {
        assert.deepEqual(adapted({ pattern }, model), { parameters: { pattern: number } }, model);
      }
    });
  }

  it('gives a model that lacks a pattern its portable kin, and says so', () => {
    const result = adapted({ pattern: 'Scan Fast' }, '8128');
    assert.equal(result?.parameters.pattern, adapted({ pattern: 'fast' }, '8128')?.parameters.pattern);
    assert.match(String(result?.note), /8128.*Scan Fast.*fast/);
  });

  it('sends numbers as they are, whatever the model', () => {
    assert.deepEqual(adapted({ pattern: 99, ledlvl: '255' }), { parameters: { pattern: 99, ledlvl: '255' } });
  });

  it('gives each model its own brightness', () => {
    const levels = (model: string) =>
      ['low', 'medium', 'high'].map((ledlvl) => adapted({ ledlvl }, model)?.parameters.ledlvl);
    assert.deepEqual(levels('8190S'), ['1', '2', '3']);
    for (const model of ['8128', '8138', '8410', '8420']) assert.deepEqual(levels(model), ['0', '56', '255']);
  });

  it("refuses a number of another model's scale", () => {
    assert.throws(() => adapted({ ledlvl: '56' }, '8190S'), {
      code: 'INVALID_PARAMETER',
      message: /ledlvl.*1, 2, 3.*8190S.*56/,
    });
    assert.throws(() => adapted({ ledlvl: '2' }, '8138'), { code: 'INVALID_PARAMETER' });
  });

  it('cannot translate a name for a model that is not known, and says what to do', () => {
    assert.throws(() => adapted({ pattern: 'slow' }), {
      code: 'NOT_SUPPORTED',
      message: wordingIn('reasons:modelUnknown'),
    });
    assert.throws(() => adapted({ ledlvl: 'high' }), {
      code: 'NOT_SUPPORTED',
      message: wordingIn('reasons:modelUnknown'),
    });
  });

  it("takes the displays' table in a template, whatever the model", () => {
    const parameters = { type: 'template', strobeFlash: 'Single Flash', strobeLedlvl: 'medium' };
    assert.deepEqual(adapted(parameters)?.parameters, {
      type: 'template',
      strobeFlash: 12,
      strobeLedlvl: '56',
    });
  });

  it('never lights another model for a display that was to be dark', () => {
    assert.throws(() => adapted({ pattern: 'Off' }, '8128'), { code: 'INVALID_PARAMETER' });
    assert.equal(adapted({ pattern: 'Off' }, '8420')?.parameters.pattern, 15);
  });
});
