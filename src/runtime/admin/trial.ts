import http from 'node:http';
import { fingerprintOf } from '../../catalogue/fingerprint';
import { hasReason, localized, type Text } from '../../catalogue/localized-message';
import { operation } from '../../catalogue/operation-name';
import { DeviceClient, type DeviceSettings } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { classifyFailure, Failure } from '../../client/failure';
import { type Endpoint, parseAddress } from '../../client/settings';
import type { TrialFinding } from '../answers';
import { identityIn } from '../device/identity';
import type { DeviceProperties } from '../device/settings';
import { type DeviceSurroundings, settingsIn } from '../device/surroundings';
import { lookAtCertificate } from './certificate';
import { productOnLanding } from './landing';

/** Time limits of requests, in milliseconds; short, since a user is waiting. */
const maxStepMs = 10_000;
const probeMs = 2_000;
const maxTextLength = 100;

/**
 * The operation that tests the login. Firmware before 5.4 does not support the operation (docs/interface.md).
 */
const about = operation('info/about');

/**
 * Tests settings over a separate connection, without changing the device. A `DeviceError` is a result, not a
 * rejection.
 * @param password undefined if no password may be sent to this address
 * @param onAbout called with the about record of the device, if the device accepts the login
 */
export async function tryOut(
  name: string,
  properties: DeviceProperties,
  password: string | undefined,
  surroundings: DeviceSurroundings,
  onAbout?: (about: unknown) => void,
): Promise<TrialFinding> {
  try {
    const settings = await settingsIn(surroundings, name, properties, password ?? '');
    const isAsked = password === undefined && !properties.virtual && settings.auth !== 'none';
    if (isAsked && endpointOf(settings)) return { finding: 'password' };
    const timeoutMs = Math.min(settings.timeoutMs, maxStepMs);
    return await tryWith({ ...settings, timeoutMs }, onAbout);
  } catch (error) {
    if (error instanceof DeviceError) return failed(error);
    throw error;
  }
}

async function tryWith(settings: DeviceSettings, onAbout?: (about: unknown) => void): Promise<TrialFinding> {
  const endpoint = endpointOf(settings);
  if (endpoint?.secure && isUnpinned(settings)) return showCertificate('certificate', settings, endpoint);
  const client = new DeviceClient(settings);
  try {
    const { body } = await client.call(about, {}, { withinMs: 2 * settings.timeoutMs });
    const finding = found(body);
    if (finding.finding === 'works') onAbout?.(body);
    const isOpen = finding.finding === 'works' && (await answersWithoutLogin(settings));
    return { ...finding, ...measured(client, settings, endpoint), ...(isOpen && { isOpen }) };
  } catch (error) {
    if (!(error instanceof DeviceError) || !endpoint) throw error;
    return { ...(await explain(error, settings, endpoint)), ...measured(client, settings, endpoint) };
  } finally {
    await client.close();
  }
}

/**
 * Whether the device also accepts requests without a login. If true, a successful test does not prove the
 * password. False if the settings contain no login.
 */
async function answersWithoutLogin({ password: _password, ...open }: DeviceSettings): Promise<boolean> {
  if (open.auth === 'none') return false;
  const client = new DeviceClient({ ...open, auth: 'none', timeoutMs: probeMs });
  try {
    const { body } = await client.call(about, {}, { withinMs: probeMs });
    return found(body).finding === 'works';
  } catch (error) {
    if (error instanceof DeviceError) return false;
    throw error;
  } finally {
    await client.close();
  }
}

function endpointOf({ address }: Pick<DeviceSettings, 'address'>): Endpoint | undefined {
  try {
    return parseAddress(address);
  } catch {
    return undefined;
  }
}

function isUnpinned({ certificate, fingerprint = '' }: DeviceSettings): boolean {
  return certificate === 'pin' && fingerprintOf(fingerprint) === '';
}

function found(body: unknown): TrialFinding {
  const { 'Product Name': product, 'MAC Address': mac, 'Firmware Version': version } = Object(body);
  if (typeof product !== 'string' && typeof version !== 'string') return { finding: 'stranger' };
  const shownIdentity = { product, mac, firmware: version };
  const texts = Object.entries(shownIdentity).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text.slice(0, maxTextLength)]] : [],
  );
  return { finding: 'works', ...Object.fromEntries(texts), ...identityIn(body) };
}

function measured(
  { roundTripMs, clockOffsetMs }: DeviceClient,
  { auth }: DeviceSettings,
  endpoint: Endpoint | undefined,
): Partial<TrialFinding> {
  return {
    auth,
    ...(endpoint && { secure: endpoint.secure }),
    ...(roundTripMs !== undefined && { roundTripMs }),
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
  };
}

async function explain(
  error: DeviceError,
  settings: DeviceSettings,
  endpoint: Endpoint,
): Promise<TrialFinding> {
  const { code, statusCode } = error;
  if (code === 'TLS_UNTRUSTED') {
    const isPinned = settings.certificate === 'pin';
    return showCertificate(isPinned ? 'changed' : 'certificate', settings, endpoint, error);
  }
  if (code === 'UNREACHABLE' || (code === 'PROTOCOL' && !endpoint.secure)) {
    const use = secureHere(error, endpoint) ?? (await otherScheme(endpoint, probeMs));
    if (use !== undefined) return { finding: 'scheme', use };
  }
  // A redirection does not show which device answered.
  if (statusCode !== undefined && statusCode >= 300 && statusCode < 400) return failed(error);
  if (hasReason(error.localizedMessage, 'notHttpPlain')) return { finding: 'stranger' };
  if (code !== 'AUTHENTICATION' && code !== 'REFUSED' && code !== 'PROTOCOL') return failed(error);
  const product = await productOnLanding(settings, probeMs);
  if (code === 'AUTHENTICATION') return { ...failed(error), finding: 'login', ...(product && { product }) };
  if (product !== undefined && code === 'REFUSED') return { ...failed(error), finding: 'unproved', product };
  return product === undefined && statusCode !== undefined && statusCode < 500
    ? { ...failed(error), finding: 'stranger' }
    : failed(error);
}

function secureHere({ localizedMessage: sentence }: DeviceError, { host }: Endpoint): string | undefined {
  const use = String(valueIn(sentence, 'redirectsSecure', 'write') ?? '');
  return endpointOf({ address: use })?.host === host ? use : undefined;
}

async function showCertificate(
  finding: 'certificate' | 'changed',
  { tls = {}, timeoutMs }: DeviceSettings,
  endpoint: Endpoint,
  error?: DeviceError,
): Promise<TrialFinding> {
  try {
    const certificate = await lookAtCertificate(endpoint, tls, timeoutMs);
    return { finding, certificate, ...(error && reasonOf(error)) };
  } catch (fault) {
    if (error) return failed(error);
    const use = await otherScheme(endpoint, probeMs);
    if (use !== undefined) return { finding: 'scheme', use };
    const limits = { endpoint, connectLimitMs: timeoutMs, answerLimitMs: timeoutMs };
    const { code, reason } = classifyFailure(Failure.of(fault), limits);
    return { finding: 'failed', code, sentence: String(reason), localizedMessage: reason };
  }
}

function reasonOf(error: DeviceError): Partial<TrialFinding> {
  const reason = valueIn(error.localizedMessage, 'untrusted', 'reason');
  const sentence = reason && localized('certificateIs', { reason });
  return sentence ? { sentence: String(sentence), localizedMessage: sentence } : {};
}

function valueIn(text: Text, phrase: string, name: string): Text | undefined {
  if (typeof text === 'string') return undefined;
  if (text.phrase === phrase) return text.values[name];
  for (const part of Object.values(text.values)) {
    const found = valueIn(part, phrase, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function failed({ code, message, localizedMessage }: DeviceError): TrialFinding {
  return { finding: 'failed', code, sentence: message, localizedMessage };
}

const [webPort, securePort] = [80, 443];
const badRequest = 400;

/**
 * Returns the address with the other scheme (http or https) if the server uses that scheme; otherwise
 * undefined. Never rejects.
 */
async function otherScheme(
  { secure, host, port, basePath }: Endpoint,
  limitMs: number,
): Promise<string | undefined> {
  const name = host.includes(':') ? `[${host}]` : host;
  const at = (scheme: string, fallback: number, other: number) =>
    `${scheme}://${name}${other === fallback ? '' : `:${other}`}${basePath}`;
  if (secure) {
    const ports = port === securePort ? [port, webPort] : [port];
    for (const one of ports) if (await speaksHttp(host, one, limitMs)) return at('http', webPort, one);
    return undefined;
  }
  const ports = port === webPort ? [port, securePort] : [port];
  for (const one of ports) if (await speaksTls(host, one, limitMs)) return at('https', securePort, one);
  return undefined;
}

function speaksHttp(host: string, port: number, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.request({ host, port, method: 'HEAD', path: '/', agent: false, timeout: limitMs });
    const settle = (does: boolean) => {
      resolve(does);
      request.destroy();
    };
    // Some TLS servers answer plain HTTP with status 400, so this status does not prove that the server uses
    // HTTP.
    request.on('response', ({ statusCode }) => settle(statusCode !== badRequest));
    request.on('timeout', () => settle(false));
    request.on('error', () => settle(false));
    request.end();
  });
}

function speaksTls(host: string, port: number, limitMs: number): Promise<boolean> {
  const endpoint = { secure: true, host, port, origin: '', basePath: '', url: '' };
  return lookAtCertificate(endpoint, {}, limitMs).then(
    ({ fingerprint }) => fingerprint !== '',
    () => false,
  );
}
