import type { Node, NodeAPI, NodeDef, NodeMessage, NodeStatus } from 'node-red';
import { show } from '../../catalogue/describe';
import { DeviceError, wordsOf } from '../../client/errors';
import { deviceById } from '../device/registry';
import { isOn } from '../device/settings';
import { errorStatus } from '../node-status';
import { intervalMsOf, isEmpty, numberOf, type WatchProperties } from './properties';
import type { Source } from './reading';
import { type ContactPayload, type Content, type Reporter, type Sink, Watch, type WatchState } from './watch';

/** What the kinds of watching nodes differ in. */
export interface WatchKind {
  /** `algo-<noun>` is the node's type. */
  readonly noun: string;
  /** Seconds between readings, unless the node says otherwise. */
  readonly interval: number;
  /** @throws DeviceError INVALID_PARAMETER */
  prepare(properties: WatchProperties): { readonly source: Source; readonly reporter: Reporter };
}

interface WatchMessage extends NodeMessage {
  operation?: unknown;
  interval?: unknown;
  device?: unknown;
  initial?: unknown;
}

interface WatchNodeDef extends NodeDef, WatchProperties {}

type Send = (messages: (NodeMessage | null)[]) => void;

/** Registers one kind of watching node, for example `algo-status`. */
export function registerWatchNode(RED: NodeAPI, kind: WatchKind): void {
  const words = new StatusWords(RED._);
  RED.nodes.registerType(`algo-${kind.noun}`, function (this: Node, definition: WatchNodeDef) {
    RED.nodes.createNode(this, definition);
    run(RED, this, kind, words, definition);
  });
}

function run(RED: NodeAPI, node: Node, kind: WatchKind, words: StatusWords, properties: WatchNodeDef): void {
  let watch: Watch | DeviceError;
  try {
    watch = start(node, kind, words, properties);
  } catch (error) {
    watch = asDeviceError(error);
    node.error(watch.message);
    node.status(errorStatus(RED._, watch.code));
  }
  node.on('input', (message, send, done) => {
    handle(watch, message, send)
      .then(
        () => done(),
        (error: unknown) => done(asDeviceError(error)),
      )
      // Node-RED copies the message for Catch and Complete nodes, and throws when it cannot.
      .catch((fault: unknown) => node.error(wordsOf(fault)));
  });
  node.on('close', () => {
    if (watch instanceof Watch) watch.stop();
    node.status({});
  });
}

/** @throws DeviceError when the node cannot watch as it is set up */
function start(node: Node, kind: WatchKind, words: StatusWords, properties: WatchProperties): Watch {
  const interval = isEmpty(properties.interval) ? kind.interval : properties.interval;
  const misses = isEmpty(properties.misses) ? 3 : numberOf('misses', properties.misses, 1, 1000);
  const { source, reporter } = kind.prepare(properties);
  const options = {
    source,
    intervalMs: intervalMsOf('interval', interval),
    adaptive: isOn(properties.adaptive),
    misses: Math.ceil(misses),
  };
  const id = String(properties.device ?? '');
  const device = deviceById(id);
  if (!device) {
    const reason = id === '' ? 'No device is chosen' : 'The chosen device does not exist or is disabled';
    throw new DeviceError('NOT_CONFIGURED', `${reason}: open the node and choose one; nothing is read`);
  }
  return new Watch(device, reporter, options, new NodeSink(words, node, device.name));
}

/** A node's outputs, its status and its line in the log. */
class NodeSink implements Sink {
  readonly #named: { readonly topic: string; readonly device: string };
  #shown = '';

  constructor(
    private readonly words: StatusWords,
    private readonly node: Node,
    device: string,
  ) {
    this.#named = { topic: device, device };
  }

  changes(messages: readonly Content[]): void {
    this.node.send([messages.map((content): NodeMessage => ({ ...this.#named, ...content }))]);
  }

  contact(payload: ContactPayload): void {
    this.node.send([null, { ...this.#named, payload }]);
  }

  lack(error: DeviceError): void {
    this.node.error(error.message, { ...this.#named, payload: null } as NodeMessage);
  }

  show(state: WatchState): void {
    // Most readings show what is shown already; publishing that would cost more than reading.
    const shown = shownBy(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.node.status(this.words.statusOf(state));
  }
}

/** Handles one message. @throws DeviceError */
async function handle(watch: Watch | DeviceError, message: WatchMessage, send: Send): Promise<void> {
  if (watch instanceof DeviceError) throw watch;
  const operation = isEmpty(message.operation) ? 'read' : message.operation;
  if (operation !== 'read' && operation !== 'pause' && operation !== 'resume') {
    throw new DeviceError(
      'INVALID_PARAMETER',
      `msg.operation must be read, pause or resume; it is ${show(operation)}`,
    );
  }
  if (!isEmpty(message.interval)) watch.setInterval(intervalMsOf('msg.interval', message.interval));
  if (operation === 'pause') return watch.pause();
  if (operation === 'resume') return watch.resume();
  const answer = await watch.read();
  const named = { topic: watch.deviceName, device: watch.deviceName };
  // It may come from another watching node: only a first reading is marked as one.
  delete message.initial;
  send([Object.assign(message, named, answer), null]);
}

/** What the statuses of one kind of node say. Edges are many and looking words up is slow: each is looked up once. */
class StatusWords {
  readonly #known = new Map<string, string>();

  constructor(private readonly translate: NodeAPI['_']) {}

  statusOf(state: WatchState): NodeStatus {
    const { translate } = this;
    switch (state.state) {
      case 'watching':
        return {
          fill: 'green',
          shape: 'dot',
          text: 'key' in state.words ? this.#word(state.words.key) : state.words.text,
        };
      case 'missing':
        return {
          fill: 'yellow',
          shape: 'ring',
          text: translate('state.missing', { missed: `${state.missed}/${state.misses}` }),
        };
      case 'paused':
        return { fill: 'grey', shape: 'ring', text: translate('state.paused') };
      case 'lost': {
        return { fill: 'red', shape: 'ring', text: translate(`lost.${state.error.code}`) };
      }
      case 'lacking':
        return { fill: 'red', shape: 'ring', text: translate('status.NOT_SUPPORTED') };
    }
  }

  #word(key: string): string {
    const word = this.#known.get(key) ?? this.translate(key);
    this.#known.set(key, word);
    return word;
  }
}

/** Tells two states apart as far as they look different under the node. */
function shownBy(state: WatchState): string {
  switch (state.state) {
    case 'watching':
      return 'key' in state.words ? state.words.key : `text ${state.words.text}`;
    case 'missing':
      return `missing ${state.missed}`;
    case 'paused':
      return 'paused';
    default:
      return `${state.state} ${state.error.code}`;
  }
}

function asDeviceError(error: unknown): DeviceError {
  if (error instanceof DeviceError) return error;
  return new DeviceError('PROTOCOL', `a fault in this package: ${wordsOf(error)}`, { cause: error });
}
