import assert from 'node:assert/strict';
import { findingsIn } from '../../src/bells/findings';
import { localized, parameterIn, type Text } from '../../src/catalogue/localized-message';
import { operation } from '../../src/catalogue/operation-name';
import { checkParameters } from '../../src/catalogue/validate';

/** Each parameter that findings are about, checked to be the beginning of their sentences. */
function parametersIn(findings: readonly Text[]): (string | undefined)[] {
  for (const finding of findings) {
    const parameter = parameterIn(finding);
    if (parameter !== undefined) assert.ok(String(finding).startsWith(parameter), String(finding));
  }
  return findings.map(parameterIn);
}

describe('the parameter that a finding is about', () => {
  const cases: [Parameters<typeof operation>[0], Record<string, unknown>, (string | undefined)[]][] = [
    ['door/munlock', { doorid: 'local', duration: 'soon' }, ['duration']],
    ['door/munlock', { doorid: 'local', duration: 5, dooor: 1 }, ['dooor']],
    ['tone/start', { loop: false }, ['path']],
    ['scheduler/apply', { action: 'create', events: { a: { name: 7 } } }, []],
  ];
  for (const [name, given, expected] of cases) {
    it(`is known for ${name} with ${JSON.stringify(given)}`, () => {
      const checked = checkParameters(operation(name), given);
      assert.ok(!checked.ok);
      const parameters = parametersIn(checked.localizedFindings);
      assert.ok(parameters.length > 0);
      if (expected.length > 0) assert.deepEqual(parameters, expected);
    });
  }

  it('is known for bells, days and calendars, which are read by hand', async () => {
    const bells = [{ name: 'a', time: '08:00', from: '2026-03-01', until: '2026-02-01' }];
    assert.match(String(parametersIn(await findingsIn({ bells }))[0]), /^bells\[0\]/);
    assert.deepEqual(parametersIn(await findingsIn({ dates: [] })), ['dates']);
    assert.deepEqual(parametersIn(await findingsIn({ from: '2026-02-02', until: '2026-02-01' })), ['until']);
    const [first] = await findingsIn({ ics: 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART' });
    assert.equal(first && parameterIn(first), 'ics');
  });

  it('is not known where a sentence is about none', () => {
    assert.equal(parameterIn('words of others'), undefined);
    assert.equal(parameterIn(localized('formNoObject')), undefined);
  });
});
