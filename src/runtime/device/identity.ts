import type { Identity } from '../../catalogue/identity';

export { compareFirmware, type Identity } from '../../catalogue/identity';

/** Names and versions are at the beginning, or nowhere. */
const mostLooked = 200;

/** What a device says, which can be anything. */
function textOf(said: unknown): string {
  const text = typeof said === 'object' ? JSON.stringify(said) : String(said ?? '');
  return text.slice(0, mostLooked);
}

/**
 * Finds the product number in a free text such as "Algo 8180G2 IP Audio Alerter": 8ddd, with S where it is
 * part of the number; "G2" is no model of its own.
 */
export function modelIn(text: unknown): string | undefined {
  const found = /(?<!\d)(8\d{3})(S(?![a-z]))?(?!\d)/i.exec(textOf(text));
  return found ? `${found[1]}${found[2]?.toUpperCase() ?? ''}` : undefined;
}

/** Finds the version number in a text such as "5.5_beta11" or "5.3.4". */
export function firmwareIn(text: unknown): string | undefined {
  return /(?<!\d)\d{1,9}(?:\.\d{1,9})+(?!\d)/.exec(textOf(text))?.[0];
}

/** Reads the about record (section 2.4). */
export function identityIn(body: unknown): Identity {
  if (typeof body !== 'object' || body === null) return {};
  const record = body as Record<string, unknown>;
  const model = modelIn(record['Product Name']);
  const firmware = firmwareIn(record['Firmware Version']);
  return { ...(model && { model }), ...(firmware && { firmware }) };
}

/** What a device says of itself beside what decides what it is sent. */
export interface About {
  /** For example "Algo 8180G2 IP Audio Alerter". */
  readonly product?: string;
  readonly mac?: string;
}

/** Reads the about record (section 2.4). */
export function aboutIn(body: unknown): About {
  const { 'Product Name': product, 'MAC Address': mac } = Object(body) as Record<string, unknown>;
  return { ...(product ? { product: textOf(product) } : {}), ...(mac ? { mac: textOf(mac) } : {}) };
}
