import type { NodeAPI } from 'node-red';
import { Failure } from '../../client/failure';
import type { Abort } from '../../client/queue/entry';
import { abortBudget } from '../../kernel/time/turn-budget';
import { lastSent, unreferenced } from '../flows-stopped';
import { PerNodeRed } from '../per-node-red';
import type { Command } from './command';

/**
 * Maximum time for which the last stops wait for the answers to starts under way, in milliseconds. Half of the
 * time for which the devices stay open, so that the stops have the other half.
 */
const maxAnswerMs = 5_000;

interface OpeningStart {
  readonly abort: Abort;
  /** Whether the command is on the wire, so that the device might carry it out. */
  isSent(): boolean;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
}

interface Closing {
  readonly abort: Abort;
  readonly command: Pick<Command, 'operation' | 'deviceOutput' | 'action' | 'options'>;
}

type WithSettings = Pick<NodeAPI, 'settings'>;

const starts = new PerNodeRed<Set<OpeningStart>, WithSettings>(() => new Set());

const awaited = new WeakSet<Abort>();

/**
 * Whether a device output is a door, a relay or the 24 V output. Such an output should not stay open or on
 * after the flows have stopped.
 */
export function isOpening(deviceOutput: string): boolean {
  return /^(?:door|relay|24v)\b/.test(deviceOutput);
}

/**
 * Carries out a start of a door, a relay or the 24 V output; the last stops wait for its end. While the last
 * stops are sent, the start is aborted.
 */
export function carryOutOpening<T>(
  RED: WithSettings,
  handle: Omit<OpeningStart, 'ended'>,
  carryOut: () => Promise<T>,
): Promise<T> {
  if (lastSent(RED)) handle.abort.abort(Failure.nodeClosed());
  const underWay = starts.of(RED);
  const carryingOut = carryOut();
  const forget = () => underWay.delete(start);
  const start: OpeningStart = { ...handle, ended: carryingOut.then(forget, forget) };
  underWay.add(start);
  return carryingOut;
}

/**
 * Ends a delivery because its node closes, unless the last stops wait for its answer, or it is a stop of a
 * door, a relay or the 24 V output while the devices stay open for such stops. A rolling message has
 * `maxAnswerMs` for the answer of a device that is under way.
 */
export function abortAtClose({ abort, command }: Closing): void {
  const { operation, deviceOutput, action, options } = command;
  if (options.rolling && abort.onWire) {
    unreferenced(maxAnswerMs, () => abort.abort(Failure.nodeClosed()));
    return;
  }
  const isLast = operation?.isStop && deviceOutput && isOpening(deviceOutput.name) && lastSent(action.RED);
  if (!isLast) abortUnlessAwaited(abort);
}

function abortUnlessAwaited(abort: Abort): void {
  if (!awaited.has(abort)) abortBudget.spend(() => abort.abort(Failure.nodeClosed()));
}

/**
 * Sends the last stops before the flows stop for good. Starts under way that are not on the wire are aborted
 * first. The stops of the other starts are sent after the answers, but at most `maxAnswerMs` later.
 * @param send called with `true` while such starts are under way: it leaves out the stops of these starts, and
 * is then called again. Returns a promise that never rejects; undefined if there is nothing to send
 */
export function sendLastStops(
  RED: WithSettings,
  send: (isStarting: boolean) => Promise<unknown> | undefined,
): Promise<unknown> | undefined {
  const underWay = [...(starts.existing(RED) ?? [])];
  if (underWay.length === 0) return send(false);
  const sent = underWay.filter((start) => start.isSent());
  for (const { abort } of sent) awaited.add(abort);
  for (const { abort } of underWay) abortUnlessAwaited(abort);
  const cancel = unreferenced(maxAnswerMs, () => {
    for (const { abort } of sent) abort.abort(Failure.nodeClosed());
  });
  const sendAll = async () => {
    await ends(underWay.filter((start) => !sent.includes(start)));
    const first = send(sent.length > 0);
    await ends(sent);
    cancel();
    await Promise.all([first, sent.length > 0 && send(false)]);
  };
  return sendAll();
}

/** Resolves after the starts have ended and their results are recorded. */
async function ends(ended: readonly OpeningStart[]): Promise<void> {
  if (ended.length === 0) return;
  await Promise.all(ended.map((start) => start.ended));
  await new Promise(setImmediate);
}
