import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { joinMessages, localized } from '../../catalogue/localized-message';
import { asDeviceError, DeviceError } from '../../client/errors';
import { choice, isEmpty, orThrow } from '../../kernel/property';
import { deviceById, groupById } from '../device/registry';
import type { Open } from '../lazy';
import { invalid } from '../message/invalid';
import { MessageNode, type Send } from '../message/message-node';
import { errorStatus, type StatusLine } from '../message/status';
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

type Outgoing = (NodeMessage | NodeMessage[] | null)[];

export function watchNode(RED: NodeAPI, resource: keyof typeof watchKinds): Open<WatchProperties> {
  const kind = watchKinds[resource];
  const words = new StatusWords(RED._);
  const all = new Map<string, KnownDevices>();
  return (node, definition) => {
    const known = all.get(node.id) ?? new KnownDevices();
    all.set(node.id, known);
    const begin = (status: StatusLine) => start(node, kind, words, definition, known, status);
    new WatchNode(RED, node, begin, () => all.delete(node.id));
  };
}

class WatchNode extends MessageNode<WatchMessage, Outgoing> {
  readonly #watch: Watch | GroupWatch | DeviceError;

  constructor(
    RED: NodeAPI,
    node: Node,
    begin: (status: StatusLine) => Watch | GroupWatch,
    private readonly forget: () => void,
  ) {
    super(RED, node);
    const watch = this.#begin(begin);
    this.#watch = watch;
    if (watch instanceof GroupWatch) this.followDeploys(() => watch.follow());
  }

  #begin(begin: (status: StatusLine) => Watch | GroupWatch): Watch | GroupWatch | DeviceError {
    try {
      return begin(this.status);
    } catch (fault) {
      const error = asDeviceError(fault);
      this.node.error(error.message);
      this.status.show(() => errorStatus(this.RED._, error));
      return error;
    }
  }

  protected async run(message: WatchMessage, send: Send<Outgoing>): Promise<undefined> {
    await handle(this.#watch, message, send);
    return undefined;
  }

  /** The status shows the device, and no error of a message. */
  protected override showError(): void {}

  protected stop(isDeleted: boolean): void {
    if (!(this.#watch instanceof DeviceError)) this.#watch.stop();
    if (isDeleted) this.forget();
  }
}

function start(
  node: Node,
  kind: WatchKind,
  words: StatusWords,
  properties: WatchProperties,
  known: KnownDevices,
  status: StatusLine,
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
    return new GroupWatch(find, makeReporter, options, new NodeGroupSink(words, node, status), known);
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
  send: Send<Outgoing>,
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
async function answerAll(watch: GroupWatch, message: WatchMessage, send: Send<Outgoing>): Promise<void> {
  const { answers, error } = await watch.read();
  // Node-RED copies all messages except the first, so the payload, which can be large, is left out.
  const { payload: _, ...rest } = message;
  const messages = answers.map(({ device, content }): NodeMessage => {
    return { ...rest, ...namedAs(device), ...content };
  });
  if (messages.length > 0) send([messages, null]);
  if (error) throw error;
}
