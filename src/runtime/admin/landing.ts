import { DeviceClient, type DeviceSettings } from '../../client/client';
import { modelIn } from '../device/identity';

/** Names are at the beginning of the page, and short. */
const maxSearchedLength = 4_000;
const maxTitleLength = 100;

/**
 * What the page says that a browser gets first: it is open to everybody (docs/field-notes.md, section 3).
 * Undefined where nothing there names a product. Never rejects.
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

/** The product in the title of a page: `Algo 8186`. */
function productIn(page: unknown): string | undefined {
  const title = titleOfMaker(page);
  return modelIn(title) === undefined ? undefined : title;
}

/** The title of a page that names the maker, whether it names a product or not. */
export function titleOfMaker(page: unknown): string | undefined {
  const text = Buffer.isBuffer(page) ? page.toString('latin1') : String(page ?? '');
  const [, title = ''] = /<title>([^<]*)</i.exec(text.slice(0, maxSearchedLength)) ?? [];
  return /\balgo\b/i.test(title) ? title.trim().slice(0, maxTitleLength) : undefined;
}
