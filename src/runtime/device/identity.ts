import { firmwareIn, type Identity, modelIn, textOf } from '../../catalogue/identity';

export { compareFirmware, firmwareIn, type Identity, modelIn } from '../../catalogue/identity';

export function identityIn(body: unknown): Identity {
  if (typeof body !== 'object' || body === null) return {};
  const record = body as Record<string, unknown>;
  const model = modelIn(record['Product Name']);
  const firmware = firmwareIn(record['Firmware Version']);
  return { ...(model && { model }), ...(firmware && { firmware }) };
}

export interface About {
  readonly product?: string;
  readonly mac?: string;
}

export function aboutIn(body: unknown): About {
  const { 'Product Name': product, 'MAC Address': mac } = Object(body) as Record<string, unknown>;
  return { ...(product ? { product: textOf(product) } : {}), ...(mac ? { mac: textOf(mac) } : {}) };
}
