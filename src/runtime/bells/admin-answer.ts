import type { NodeAPI } from 'node-red';
import type { Reason } from '../../catalogue/reasons';
import { said } from '../../catalogue/saying';
import { wordsOf } from '../../client/errors';
import { kindOf, madeUp } from '../action/kinds';
import { perform } from '../action/perform';
import { type Receipt, sayingsOf } from '../action/receipt';
import { textIn } from '../admin/dialog-values';
import { refusalOf } from '../admin/guard';
import { publish } from '../delivery/feed';
import type { Device } from '../device/device';
import { deviceById } from '../device/registry';
import { callEntry } from './call-entry';
import { sentencesIn } from './list-sayings';

/** What is answered to a dialog. */
interface AdminAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Way = 'look' | 'change';

type Parameters = Readonly<Record<string, unknown>>;

/** What a dialog may ask for; `plan` is what `sync` would do. */
const deeds: Readonly<Record<Way, Readonly<Record<string, (given: Parameters) => [string, Parameters]>>>> = {
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

/**
 * Does what a dialog asks for as an action node would: with its checks, its place in the order of the device, and its
 * receipt, which is published where it changed something.
 */
export async function answerFor(
  RED: NodeAPI,
  way: Way,
  { id = '' }: { readonly id?: string },
  asked: unknown,
): Promise<AdminAnswer> {
  const { operation, parameters } = Object(asked) as { operation?: unknown; parameters?: unknown };
  if (way === 'look' && operation === 'call') return callTo(RED, id, Object(parameters));
  const known = deeds[way];
  const name = textIn(operation);
  const deed = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!deed) return refusal(400, 'noSuchOperation');
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    return refusal(400, 'parametersNoObject');
  }
  const device = deployed(RED, id);
  const kind = kindOf('scheduler/sync');
  if (!device || !kind) return noDevice;
  const [of, payload] = deed(parameters as Parameters);
  const properties = { device: id, parametersType: 'msg', parameters: 'payload' };
  const action = madeUp(kind, { id, name: device.name, type }, `scheduler/${of}`, properties);
  const { receipts, payload: answer } = await perform(action, { _msgid: '', payload }).result;
  const [receipt] = receipts;
  if (!receipt) return refusal(500, 'ourFault');
  if (way === 'change') {
    const log = (fault: unknown) => RED.log.error(`[${type}] ${wordsOf(fault)}`);
    publish(receipt, { node: 'editor', nodeId: id }, log);
  }
  return { status: 200, body: bodyOf(receipt, answer) };
}

/** What a dialog shows. Neither the address nor what the device answered in full is anybody's business there. */
function bodyOf(receipt: Receipt, answer: unknown): AdminAnswer['body'] {
  const { device, outcome, note, error } = receipt;
  return {
    device,
    outcome,
    ...(answer !== undefined && { answer }),
    ...(note && { note }),
    ...(error && { code: error.code, error: error.message }),
    said: { ...sayingsOf(receipt), inside: sentencesIn(answer) },
  };
}

/** How a scheduler asks this device for something; nothing is sent for that. */
function callTo(RED: NodeAPI, id: string, asked: Parameters): AdminAnswer {
  const device = deployed(RED, id);
  if (!device) return noDevice;
  const found = callEntry(device, asked);
  return {
    status: 200,
    body:
      'error' in found
        ? { error: found.error, said: { reason: found.said } }
        : { device: device.name, answer: found.entry },
  };
}

function deployed(RED: NodeAPI, id: string): Device | undefined {
  return RED.nodes.getNode(id)?.type === 'algo-device' ? deviceById(id) : undefined;
}

const noDevice = refusal(404, 'notDeployed');

function refusal(status: number, why: Reason): AdminAnswer {
  return { status, body: refusalOf(said(why)) };
}
