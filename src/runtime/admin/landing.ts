import { DeviceClient, type DeviceSettings } from '../../client/client';
import { modelIn } from '../device/identity';

const maxSearchedLength = 4_000;
const maxTitleLength = 100;

/**
 * Returns the product that the public start page names (docs/field-notes.md, section 3); undefined if the
 * page names no known product. Never rejects.
 */
export async function productOnLanding(
  settings: DeviceSettings,
  limitMs: number,
): Promise<string | undefined> {
  const { password: _password, ...open } = settings;
  let client: DeviceClient | undefined;
  try {
    client = new DeviceClient({ ...open, auth: 'none', timeoutMs: limitMs });
    const { body } = await client.send({ method: 'GET', path: '/' }, { withinMs: limitMs });
    return productIn(body);
  } catch {
    return undefined;
  } finally {
    await client?.close();
  }
}

function productIn(page: unknown): string | undefined {
  const title = titleOfMaker(page);
  return modelIn(title) === undefined ? undefined : title;
}

export function titleOfMaker(page: unknown): string | undefined {
  const text = Buffer.isBuffer(page) ? page.toString('latin1') : String(page ?? '');
  const [, title = ''] = /<title>([^<]*)</i.exec(text.slice(0, maxSearchedLength)) ?? [];
  return /\balgo\b/i.test(title) ? title.trim().slice(0, maxTitleLength) : undefined;
}
