import { said, type Text, together } from '../../catalogue/saying';
import { checkParameters } from '../../catalogue/validate';
import { saidOf } from '../../client/errors';
import { buildRequest } from '../../client/request';
import { kindOf } from '../action/kinds';
import { textIn } from '../admin/dialog-values';
import type { Device } from '../device/device';

/** An entry of `api_call` (section 2.6a) but for its header, which says how to be let in; or what is wrong. */
type CallEntry =
  | {
      readonly entry: Readonly<Record<'method' | 'target' | 'path' | 'name', string>> & {
        readonly payload?: string;
      };
    }
  | { readonly error: string; readonly said?: Text };

/** What another device is to be asked for: an operation such as `tone/start`, and its parameters. */
interface Asked {
  readonly operation?: unknown;
  readonly parameters?: unknown;
}

/** The request that a scheduler sends to do an operation at a device, with the checks of that operation's node. */
export function callEntry(device: Device, { operation: asked, parameters = {} }: Asked): CallEntry {
  const [noun = '', id] = textIn(asked).split('/');
  const operation = kindOf(noun)?.group.operations.find((one) => one.id === id);
  if (!operation) return refused(said('noSuchOperation'));
  if (operation.of || operation.body || operation.fields.method) {
    return refused(said('moreThanOne'));
  }
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    return refused(said('parametersNoObject'));
  }
  const place = placeOf(device);
  if (place === undefined) return refused(said('noReachableAddress', { device: device.name }));
  const checked = checkParameters(operation, parameters as Record<string, unknown>);
  if (!checked.ok) return refused(together(checked.said));
  try {
    const { method, path, body } = buildRequest(operation, checked.parameters);
    const needsBody = method === 'POST' || method === 'PUT';
    const payload = body?.toString('utf8') ?? (needsBody ? '{}' : undefined);
    const name = `${operation.title}: ${device.name}`;
    const { target, base } = place;
    return { entry: { method, target, path: base + path, name, ...(payload !== undefined && { payload }) } };
  } catch (error) {
    return refused(saidOf(error));
  }
}

function refused(why: Text): CallEntry {
  return { error: String(why), said: why };
}

/** Where the device is, and what comes before each path there; nothing where only this machine can reach it. */
function placeOf({ url }: Device): { readonly target: string; readonly base: string } | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return { target: origin, base: pathname.replace(/\/$/, '') };
}
