import type { NodeAPI } from 'node-red';
import { dayAt } from '../../bells/calendar';
import { checkCalendar } from '../../bells/calendar-file/check-calendar';
import { findingsIn } from '../../bells/findings';
import { bellScheduler, maxCalendarLength } from '../../catalogue/bells';
import { isPlainObject } from '../../catalogue/coerce';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import type { Reason } from '../../catalogue/reasons';
import { checkParameters } from '../../catalogue/validate';
import { messageOf, wordsOf } from '../../client/errors';
import { buildRequest } from '../../client/request';
import { readImport } from '../bells/calendar-import';
import { keepLocalizedMessages, sentencesIn } from '../bells/localized-lists';
import type { Device } from '../device/device';
import { deviceById } from '../device/registry';
import type { AdminHandler } from '../lazy';
import { publish } from '../message/bus';
import { dispatch } from '../message/dispatch';
import { kindOf } from '../message/kinds';
import { localizedPartsOf, type Receipt } from '../message/receipt';
import { textIn } from './dialog-values';
import { answer, answerInParts, guard, guarded, refusalOf } from './guard';

const permissions = { look: 'algo.read', change: 'algo.write' } as const;

type Way = keyof typeof permissions;

/** Maximum length of a request as JSON, in characters. A request can contain a long table of bells. */
const maxLength = 1024 * 1024;

/** The same for a calendar, whose line breaks and quotes take two characters in JSON. */
const maxCalendarRequest = 1.25 * maxCalendarLength;

type BellPath = `/algo/bells/:id/${Way}` | '/algo/bells/calendar';

/**
 * Returns the endpoints of a scheduler's dialog, below the editor's address: `POST algo/bells/<id>/change`
 * for changes, and `…/look` for everything else at a device, where `<id>` is the id of a deployed device.
 * `POST algo/bells/calendar` needs no device: it returns what an import takes from a calendar.
 */
export function bellEndpoints(RED: NodeAPI): Readonly<Record<BellPath, AdminHandler>> {
  type Ask = (id: string, body: unknown) => Promise<AdminAnswer>;
  const serve = (permission: string, length: number, ask: Ask): AdminHandler =>
    guarded(guard(RED, permission, { maxLength: length }), ({ params, body }, response) => {
      ask(params?.id ?? '', body)
        .then((given) => answerInParts(response, given.status, given.body))
        .catch((error: unknown) => {
          RED.log.error(`[algo-scheduler] ${wordsOf(error)}`);
          answer(response, 500, refusalOf(localized('ourFault')));
        });
    });
  const at = (way: Way) => serve(permissions[way], maxLength, (id, body) => answerFor(RED, way, id, body));
  return {
    '/algo/bells/:id/look': at('look'),
    '/algo/bells/:id/change': at('change'),
    '/algo/bells/calendar': serve(permissions.look, maxCalendarRequest, (_id, body) => answerImport(body)),
  };
}

interface AdminAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * For each operation of a dialog except `call`: a function that returns the scheduler operation and its
 * parameters. `plan` is a dry run of `sync`.
 */
const builders: Readonly<Record<Way, Readonly<Record<string, (given: Parameters) => [string, Parameters]>>>> =
  {
    look: {
      preview: (given) => ['preview', given],
      plan: (given) => ['sync', { ...given, dryRun: true }],
    },
    change: {
      sync: (given) => ['sync', given],
      skip: (given) => ['skip', given],
      unskip: (given) => ['unskip', given],
    },
  };

const type = 'algo-scheduler';

async function answerFor(RED: NodeAPI, way: Way, id: string, asked: unknown): Promise<AdminAnswer> {
  const { operation, parameters } = Object(asked) as { operation?: unknown; parameters?: unknown };
  if (way === 'look' && operation === 'call') return answerCallEntry(RED, id, Object(parameters));
  const known = builders[way];
  const name = textIn(operation);
  const build = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!build) return refusal(400, 'noSuchOperation');
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    return refusal(400, 'parametersNoObject');
  }
  const device = deployed(RED, id);
  if (!device || !kindOf('scheduler/sync')) return noDevice;
  const [of, payload] = build(parameters as Parameters);
  const { receipts, payload: answer } = await dispatch({
    as: { id, name: device.name, type },
    operation: `scheduler/${of}`,
    device: id,
    parameters: payload,
    how: { autoStops: undefined },
  }).result;
  const [receipt] = receipts;
  if (!receipt) return refusal(500, 'ourFault');
  if (way === 'change') {
    const log = (fault: unknown) => RED.log.error(`[${type}] ${wordsOf(fault)}`);
    publish(receipt, { node: 'editor', nodeId: id }, log);
  }
  return { status: 200, body: bodyOf(receipt, answer) };
}

/** Answers with what `import` takes from a calendar today, by the clock and the zone of Node-RED. */
async function answerImport(asked: unknown): Promise<AdminAnswer> {
  const operation = bellScheduler.operations.find(({ id }) => id === 'import');
  if (!operation || !isPlainObject(asked)) return refusal(400, 'parametersNoObject');
  // The dialog checks whether these two are present, and a preview needs neither.
  const checked = checkParameters(operation, { tag: '-', audio: '-', ...asked });
  if (!checked.ok) return impossible(joinMessages(checked.localizedFindings));
  const { parameters } = checked;
  const { ics, match, without } = parameters;
  // The dialog itself compares the first day with the last one.
  const wrong = [...(await checkCalendar(String(ics))), ...(await findingsIn({ match, without }))];
  if (wrong.length > 0) return impossible(joinMessages(wrong));
  const now = new Date();
  const today = dayAt(now.getFullYear(), now.getMonth() + 1, now.getDate()) ?? 0;
  const read = await readImport(parameters, today);
  if (!read) return impossible(localized('icsTooMuch'));
  const bells = read.bells.map(({ given }) => given);
  // The list of what is not imported says the same as the note.
  const warnings = read.notes.filter(({ phrase }) => phrase !== ('notImported' satisfies Reason));
  const words = warnings.map(String);
  keepLocalizedMessages(words, warnings);
  const answer = { ...(parameters.as === 'bells' && { bells }), ...read.answer, warnings: words };
  return { status: 200, body: { answer, localized: { inside: sentencesIn(answer) } } };
}

function impossible(why: Text): AdminAnswer {
  return { status: 200, body: { error: String(why), localized: { sentence: why } } };
}

function bodyOf(receipt: Receipt, answer: unknown): AdminAnswer['body'] {
  const { device, outcome, note, error } = receipt;
  return {
    device,
    outcome,
    ...(answer !== undefined && { answer }),
    ...(note && { note }),
    ...(error && { code: error.code, error: error.message }),
    localized: { ...localizedPartsOf(receipt), inside: sentencesIn(answer) },
  };
}

function answerCallEntry(RED: NodeAPI, id: string, asked: Parameters): AdminAnswer {
  const device = deployed(RED, id);
  if (!device) return noDevice;
  const found = callEntry(device, asked);
  return {
    status: 200,
    body:
      'error' in found
        ? { error: found.error, localized: { sentence: found.localizedMessage } }
        : { device: device.name, answer: found.entry },
  };
}

function deployed(RED: NodeAPI, id: string): Device | undefined {
  return RED.nodes.getNode(id)?.type === 'algo-device' ? deviceById(id) : undefined;
}

const noDevice = refusal(404, 'notDeployed');

function refusal(status: number, why: Reason): AdminAnswer {
  return { status, body: refusalOf(localized(why)) };
}

/**
 * An entry of `api_call` (docs/interface.md, section 2.6a) without its header, which would contain the login;
 * or an error.
 */
type CallEntry =
  | {
      readonly entry: Readonly<Record<'method' | 'target' | 'path' | 'name', string>> & {
        readonly payload?: string;
      };
    }
  | { readonly error: string; readonly localizedMessage?: Text };

interface RequestedOperation {
  readonly operation?: unknown;
  readonly parameters?: unknown;
}

function callEntry(device: Device, { operation: asked, parameters = {} }: RequestedOperation): CallEntry {
  const [resource = '', id] = textIn(asked).split('/');
  const operation = kindOf(resource)?.group.operations.find((one) => one.id === id);
  if (!operation) return refused(localized('noSuchOperation'));
  if (operation.composedOf || operation.body || operation.fields.method) {
    return refused(localized('moreThanOne'));
  }
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    return refused(localized('parametersNoObject'));
  }
  const place = originOf(device);
  if (place === undefined) return refused(localized('noReachableAddress', { device: device.name }));
  const checked = checkParameters(operation, parameters as Record<string, unknown>);
  if (!checked.ok) return refused(joinMessages(checked.localizedFindings));
  try {
    const { method, path, body } = buildRequest(operation, checked.parameters);
    const needsBody = method === 'POST' || method === 'PUT';
    const payload = body?.toString('utf8') ?? (needsBody ? '{}' : undefined);
    const name = `${operation.title}: ${device.name}`;
    const { target, base } = place;
    return { entry: { method, target, path: base + path, name, ...(payload !== undefined && { payload }) } };
  } catch (error) {
    return refused(messageOf(error));
  }
}

function refused(why: Text): CallEntry {
  return { error: String(why), localizedMessage: why };
}

function originOf({ url }: Device): { readonly target: string; readonly base: string } | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return { target: origin, base: pathname.replace(/\/$/, '') };
}
