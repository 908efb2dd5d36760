import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { joinMessages, localized } from '../../catalogue/localized-message';
import { DeviceError, faultError, wordsOf } from '../../client/errors';
import { choice, isEmpty, orThrow } from '../../kernel/property';
import { deviceById, groupById, onSettled } from '../device/registry';
import type { Open } from '../lazy';
import { invalid } from '../message/invalid';
import { errorStatus } from '../message/status';
import { ConsoleEvents, consoleEventsSource } from './console-events';
import { GroupWatch } from './group-watch';
import { KnownDevices } from './known-devices';
import { NodeGroupSink, NodeSink, namedAs } from './node-sinks';
import { readInterval, readWatch, type WatchProperties, type WatchSettings } from './properties';
import type { Source } from './reading';
import { RelayInput, relayInputSource } from './relay-input';
import { Status, statusSource } from './status';
import { StatusWords } from './status-words';
import { type Reporter, Watch } from './watch';

interface WatchKind {
  /** Default interval in seconds. */
  readonly interval: number;
  prepare(settings: WatchSettings): { readonly source: Source; readonly reporter: Reporter };
}

const watchKinds = {
  status: {
    interval: 10,
    prepare: ({ fields: watched, ignore: ignored, counters, report, initial }) => ({
      source: statusSource,
      reporter: new Status({ watched, ignored, counters, report, initial }),
    }),
  },
  'relay-input': {
    interval: 1,
    prepare: ({ input, edge, debounce: debounceMs, initial }) => ({
      source: relayInputSource(input),
      reporter: new RelayInput({ input, edge, debounceMs, initial }),
    }),
  },
  'console-events': {
    interval: 1,
    prepare: ({ initial }) => ({
      source: consoleEventsSource,
      reporter: new ConsoleEvents({ initial }),
    }),
  },
} satisfies Readonly<Record<string, WatchKind>>;

interface WatchMessage extends NodeMessage {
  operation?: unknown;
  interval?: unknown;
  device?: unknown;
  initial?: unknown;
}

type Send = (messages: (NodeMessage | NodeMessage[] | null)[]) => void;

export function watchNode(RED: NodeAPI, resource: keyof typeof watchKinds): Open<WatchProperties> {
  const kind = watchKinds[resource];
  const words = new StatusWords(RED._);
  const all = new Map<string, KnownDevices>();
  return (node, definition) => {
    const known = all.get(node.id) ?? new KnownDevices();
    all.set(node.id, known);
    run(RED, node, kind, words, definition, known);
    // Node-RED passes `isDeleted` only to a listener with two parameters.
    node.on('close', (isDeleted: boolean, done: () => void) => {
      if (isDeleted) all.delete(node.id);
      done();
    });
  };
}

function run(
  RED: NodeAPI,
  node: Node,
  kind: WatchKind,
  words: StatusWords,
  properties: WatchProperties,
  known: KnownDevices,
): void {
  let watch: Watch | GroupWatch | DeviceError;
  try {
    watch = start(node, kind, words, properties, known);
  } catch (error) {
    watch = asDeviceError(error);
    node.error(watch.message);
    node.status(errorStatus(RED._, watch));
  }
  const endFollowing = watch instanceof GroupWatch ? follow(RED, node, watch) : undefined;
  node.on('input', (message, send, done) => {
    handle(watch, message, send)
      .then(
        () => done(),
        (error: unknown) => done(asDeviceError(error)),
      )
      // `done` throws if Node-RED cannot copy the message for Catch and Complete nodes.
      .catch((fault: unknown) => node.error(wordsOf(fault)));
  });
  node.on('close', () => {
    endFollowing?.();
    if (!(watch instanceof DeviceError)) watch.stop();
    node.status({});
  });
}

/**
 * Updates the members after each deploy, since a deploy can change the group without this node.
 * @returns a function that stops the updates
 */
function follow(RED: NodeAPI, node: Node, watch: GroupWatch): () => void {
  return onSettled(RED, () => {
    try {
      watch.follow();
    } catch (fault) {
      node.error(wordsOf(fault));
    }
  });
}

function start(
  node: Node,
  kind: WatchKind,
  words: StatusWords,
  properties: WatchProperties,
  known: KnownDevices,
): Watch | GroupWatch {
  const settings = readWatch(properties, kind.interval);
  const { source, reporter: fresh } = kind.prepare(settings);
  const options = {
    source,
    intervalMs: settings.interval,
    adaptive: settings.adaptive,
    misses: Math.ceil(settings.misses),
  };
  if (properties.target === 'group') {
    const find = () => chosen('group', properties.group, groupById);
    find();
    const makeReporter = () => kind.prepare(settings).reporter;
    return new GroupWatch(find, makeReporter, options, new NodeGroupSink(words, node), known);
  }
  const device = chosen('device', properties.device, deviceById);
  const reporter = known.makerOf(() => fresh)(device);
  known.keepOnly([[device, reporter]]);
  return new Watch(device, reporter, options, new NodeSink(words, node, device.name));
}

function chosen<T>(kind: 'device' | 'group', id: unknown, find: (id: string) => T | undefined): T {
  const found = find(String(id ?? ''));
  if (found) return found;
  const isGroup = kind === 'group';
  const none = isGroup ? 'noGroupChosen' : 'noDeviceChosen';
  const gone = isGroup ? 'chosenGroupGone' : 'chosenDeviceGone';
  const words = joinMessages([localized(isEmpty(id) ? none : gone), 'nothing is read']);
  throw new DeviceError('NOT_CONFIGURED', words);
}

const readOperation = choice(['read', 'pause', 'resume'], { empty: 'read' });

async function handle(
  watch: Watch | GroupWatch | DeviceError,
  message: WatchMessage,
  send: Send,
): Promise<void> {
  if (watch instanceof DeviceError) throw watch;
  const operation = orThrow(readOperation(message.operation, 'msg.operation'), invalid);
  if (!isEmpty(message.interval)) watch.setInterval(readInterval(message.interval));
  if (operation === 'pause') return watch.pause();
  if (operation === 'resume') return watch.resume();
  // `initial` marks a first reading. A message from another watching node can contain the mark, so the mark
  // is removed.
  delete message.initial;
  if (watch instanceof GroupWatch) return answerAll(watch, message, send);
  const answer = await watch.read();
  send([Object.assign(message, namedAs(watch.deviceName), answer), null]);
}

/**
 * Sends one message for each member that was read.
 * @throws DeviceError for the members that were not read
 */
async function answerAll(watch: GroupWatch, message: WatchMessage, send: Send): Promise<void> {
  const { answers, error } = await watch.read();
  // Node-RED copies all messages except the first, so the payload, which can be large, is left out.
  const { payload: _, ...rest } = message;
  const messages = answers.map(({ device, content }): NodeMessage => {
    return { ...rest, ...namedAs(device), ...content };
  });
  if (messages.length > 0) send([messages, null]);
  if (error) throw error;
}

function asDeviceError(error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  return faultError(error);
}
