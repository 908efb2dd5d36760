import { durationIn } from '../../../catalogue/duration';
import type { TrialFinding } from '../../../runtime/answers';
import { editorLanguage } from '../language/editor-language';
import { sentenceOf } from '../language/sentences';
import { ask, Refusal, words } from './ask';
import { deviceValues } from './device-values';
import { Report } from './report';

/**
 * Tolerance of a device for the clock difference of a signature, in milliseconds (docs/interface.md, section
 * 1).
 */
const toleratedMs = 30_000;

export async function testDevice(node: EditorNode): Promise<void> {
  const button = $('#algo-device-test');
  const hadFocus = button.is(document.activeElement ?? '');
  button.prop('disabled', true);
  const container = $('#algo-device-found').text(words('test.asking'));
  const form = container.closest('form').off('.algoTest');
  try {
    const asked = deviceValues(node.id);
    testedValues = shownValues();
    const finding = await ask<TrialFinding>('algo/test', asked);
    // If the user has changed the settings during the test, the result is not valid for the new settings.
    if (testedValues !== shownValues()) new Report(container).add('weak', words('test.meanwhile')).done();
    // The report refers to the node of the virtual device, since the missing settings are not in this
    // dialog.
    else if (finding.code === 'NOT_CONFIGURED' && asked.values.virtual)
      new Report(container).add('bad', words('test.virtual')).done();
    else reportFinding(new Report(container), finding);
  } catch (error) {
    new Report(container).add('bad', error instanceof Refusal ? error.message : String(error)).done();
  } finally {
    button.prop('disabled', false);
    // Returns the focus, which the button lost while the button was disabled.
    if (hadFocus && document.activeElement === document.body) button.trigger('focus');
    const forget = () => void (testedValues === shownValues() || container.empty());
    if (testedValues === shownValues()) form.on('input.algoTest change.algoTest', forget);
  }
}

/** The settings for which the shown result is valid, as JSON. */
let testedValues = '';

function shownValues(): string {
  return JSON.stringify(deviceValues());
}

function reportFinding(report: Report, finding: TrialFinding): void {
  const { sentence, localizedMessage, use = '' } = finding;
  switch (finding.finding) {
    case 'works':
      reportWorking(report, finding);
      break;
    case 'certificate':
    case 'changed':
      reportCertificate(report, finding);
      break;
    case 'login':
      reportLogin(report, finding);
      break;
    case 'scheme':
      report.add('bad', words(use.startsWith('https') ? 'test.wantsTls' : 'test.wantsPlain', { use }));
      report.button(words('test.use', { use }), () => fill('address', use));
      break;
    default: {
      const { code = 'PROTOCOL', product = '' } = finding;
      const key = finding.finding === 'failed' ? `test.code.${code}` : `test.${finding.finding}`;
      report.add(finding.finding === 'unproved' ? 'weak' : 'bad', words(key, { product }));
      if (sentence) report.detail(sentenceOf(sentence, localizedMessage));
      if (finding.finding === 'failed') report.help(code);
    }
  }
  report.done();
}

function reportWorking(report: Report, finding: TrialFinding): void {
  const { product = '', firmware = '', mac, auth = 'standard', secure, isOpen, roundTripMs } = finding;
  report.add('good', words('test.works', { product, firmware }));
  const way = words(secure ? 'test.https' : 'test.http');
  if (isOpen) report.add('weak', words('test.open', { way }));
  else report.detail(words('test.letIn', { auth: words(`auth.${auth}`), way }));
  if (mac) report.detail(words('test.mac', { mac }));
  if (roundTripMs !== undefined)
    report.detail(words('test.roundTrip', { ms: String(Math.round(roundTripMs)) }));
  reportClock(report, finding);
  for (const property of ['model', 'firmware'] as const) {
    const set = String($(`#node-config-input-${property}`).val() ?? '');
    const ofDevice = finding[property] ?? '';
    if (set === '' || ofDevice === '' || set.startsWith('${') || set.toUpperCase() === ofDevice) continue;
    report.add('weak', words(`test.other.${property}`, { set, said: ofDevice }));
    report.button(words('test.fill', { said: ofDevice }), () => fill(property, ofDevice));
  }
}

function reportClock(report: Report, { clockOffsetMs, auth }: TrialFinding): void {
  if (clockOffsetMs === undefined) return;
  const isOff = Math.abs(clockOffsetMs) > toleratedMs;
  const sentence = clockWords(clockOffsetMs);
  if (!isOff) report.detail(sentence);
  else
    report.add('weak', `${sentence} ${words(auth === 'standard' ? 'test.clockAllowed' : 'test.clockWrong')}`);
}

function clockWords(differenceMs: number): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (seconds < 2) return words('test.clockSame');
  return words(differenceMs < 0 ? 'test.clockBehind' : 'test.clockAhead', {
    time: durationIn(editorLanguage(), seconds),
  });
}

function reportLogin(report: Report, { product, auth = 'standard', clockOffsetMs }: TrialFinding): void {
  const clock = clockOffsetMs === undefined ? '' : clockWords(clockOffsetMs);
  const isCause = auth === 'standard' && !(Math.abs(clockOffsetMs ?? toleratedMs) < toleratedMs);
  // Without authentication, neither a password nor a signature was sent.
  const isOpen = auth === 'none';
  report.add('bad', words(isOpen ? 'test.loginOpen' : isCause ? 'test.login' : 'test.loginButClock'));
  report.detail(words('test.cause.api'));
  if (!isOpen) report.detail(words('test.cause.password'));
  report.detail(words('test.cause.auth', { auth: words(`auth.${auth}`) }));
  if (!isOpen)
    report.detail(`${words(isCause ? 'test.cause.clock' : 'test.cause.notClock')} ${clock}`.trim());
  if (product) report.detail(words('test.isProduct', { product }));
  else report.add('weak', words('test.noProduct'));
  report.help('AUTHENTICATION');
}

function reportCertificate(
  report: Report,
  { finding, certificate, sentence, localizedMessage }: TrialFinding,
): void {
  if (!certificate) return;
  const { fingerprint, subject, issuer, names, from, until } = certificate;
  report.add('bad', words(`test.${finding}`));
  if (sentence) report.detail(sentenceOf(sentence, localizedMessage));
  report.detail(words('test.fingerprint', { fingerprint }));
  report.detail(words('test.issued', { subject: subject || '-', issuer: issuer || '-' }));
  if (names) report.detail(words('test.names', { names: namesInWords(names) }));
  report.detail(words('test.valid', { from: momentInWords(from), until: momentInWords(until) }));
  report.help('TLS_UNTRUSTED');
  report.button(words('test.trust'), () => {
    fill('certificate', 'pin');
    fill('fingerprint', fingerprint);
    report.add('good', words('test.trusted')).done();
  });
}

/**
 * Translates `IP Address` in the names of a certificate, which Node.js writes as `DNS:door.example.org, IP
 * Address:192.0.2.1`.
 */
function namesInWords(names: string): string {
  return names.replace(/(^|, )IP Address:([^,]*)/g, (_, before: string, address: string) => {
    return before + words('test.ipAddress', { address });
  });
}

function momentInWords(text: string): string {
  const moment = Date.parse(text);
  const style = { dateStyle: 'long', timeStyle: 'short' } as const;
  return Number.isNaN(moment) ? text : new Intl.DateTimeFormat(editorLanguage(), style).format(moment);
}

function fill(property: string, value: string): void {
  const field = $(`#node-config-input-${property}`).val(value);
  testedValues = shownValues();
  field.trigger('change');
}
