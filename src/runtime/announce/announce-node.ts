import type { Node, NodeAPI, NodeStatus } from 'node-red';
import { nothingSent } from '../../catalogue/sentence';
import { asDeviceError, DeviceError, wordsOf } from '../../client/errors';
import { choice, orThrow } from '../../kernel/property';
import { limiterFor } from '../alert/send';
import type { Device } from '../device/device';
import { findTargets, type Targets } from '../device/targets';
import type { Open } from '../lazy';
import type { ActionMessage } from '../message/command';
import { MessageNode, type Send } from '../message/message-node';
import { addResults, asOne, asSplit, errorOf, isFine, personIn, type Receipt } from '../message/receipt';
import { type DoneMessage, doneStatus, errorStatus, type Translate, unsetStatus } from '../message/status';
import type { AnnounceEvent, AnnounceRequest } from './announcement';
import { type Announcements, announcementsOf } from './announcements';
import type { Audio } from './audio';
import {
  type AnnounceProperties,
  type AnnounceSettings,
  invalid,
  readAnnounceOperation,
  readAudio,
  readSettings,
} from './properties';

interface Message extends ActionMessage {
  announcement?: string;
  payload?: unknown;
}

type Outgoing = [Message | null, object | null];

const readAudioType = choice(['msg', 'flow', 'global', 'str'], { empty: 'msg' });

export function announceNode(RED: NodeAPI): Open<AnnounceProperties> {
  const announcements = announcementsOf(RED);
  return (node, definition) => void new AnnounceNode(RED, node, definition, announcements);
}

class AnnounceNode extends MessageNode<Message, Outgoing> {
  readonly #detach: () => Promise<unknown>;
  #shown = '';
  /** The last announcement of this node, if a target of it failed. */
  #failed: DoneMessage | undefined;
  /** Never rejects: a later message awaits this promise to keep the order of arrival. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    RED: NodeAPI,
    node: Node,
    private readonly properties: AnnounceProperties,
    private readonly announcements: Announcements,
  ) {
    super(RED, node, 'announce');
    this.#detach = announcements.attach(node.id, {
      onChange: () => this.#show(),
      onEvent: (event) => this.#sendEvent(event),
    });
    if ((properties.target || 'device') === 'device' && !properties.device)
      this.status.show(() => unsetStatus(RED._));
  }

  #sendEvent({ device, ...event }: AnnounceEvent): void {
    const topic = device === undefined ? {} : { topic: device };
    const payload = device === undefined ? event : { ...event, device };
    this.node.send([null, { ...topic, payload }]);
  }

  protected stop(): Promise<unknown> {
    return this.#detach();
  }

  protected async run(
    message: Message,
    send: Send<Outgoing>,
    since: number,
  ): Promise<DeviceError | undefined> {
    const operation = orThrow(readAnnounceOperation(message.operation, 'msg.operation'), invalid);
    if (operation === 'play' || operation === 'prepare') return this.#play(message, send, since, operation);
    if (operation === 'stop') return this.#stop(message, send, since);
    await this.#last;
    return this.#tellState(message, send);
  }

  #tellState(message: Message, send: Send<Outgoing>): DeviceError | undefined {
    const targets = findTargets(this.properties, message);
    const devices = devicesIn(targets);
    const payload = devices.map((device) => ({ device: device.name, ...this.announcements.playing(device) }));
    const cannotCarry = addResults(message, { receipts: [], payload }, 'announce');
    if (devices.length > 0 && !cannotCarry) send([message, null]);
    const unknown = targets.list.find(({ error }) => error)?.error;
    if (unknown) throw unknown;
    return cannotCarry;
  }

  async #play(
    message: Message,
    send: Send<Outgoing>,
    since: number,
    operation: 'play' | 'prepare',
  ): Promise<DeviceError | undefined> {
    const arrival = this.announcements.nextArrival();
    const targets = findTargets(this.properties, message);
    let read: { readonly settings: AnnounceSettings; readonly audio: Audio | string };
    try {
      read = await this.#inTurn(this.#read(message));
      if (this.isClosing) {
        const words = nothingSent('the node was closed before the announcement began');
        throw new DeviceError('ABORTED', words, { place: 'announce' });
      }
    } catch (fault) {
      return this.#answer(message, send, since, targets, operation, asDeviceError(fault, 'announce'));
    }
    const { list, maxParallel } = targets;
    const limiter = limiterFor(list, [maxParallel]);
    const by = personIn(message);
    const request = { ...read, node: this.#named, by, targets: list, limiter, since, arrival };
    if (operation === 'play') return this.#announce(request, message, send);
    const receipts = await this.announcements.prepareOnly(request);
    return asOne(message, (one) => send([one, null])).finish({ receipts });
  }

  /**
   * Waits until a message is read, and all earlier messages have taken effect. The caller lets the message take effect
   * before its next `await`.
   */
  #inTurn<T>(reading: Promise<T>): Promise<T> {
    const before = this.#last;
    const turn = Promise.all([reading, before]).then(([read]) => read);
    // After a message that cannot be read, a later message must still wait for the earlier messages.
    this.#last = turn.then(
      () => {},
      () => before,
    );
    return turn;
  }

  /** Begins the announcement before its first `await`. */
  async #announce(
    request: Omit<AnnounceRequest, 'onReceipt'>,
    message: Message,
    send: Send<Outgoing>,
  ): Promise<DeviceError | undefined> {
    const sendFirst = (one: Message) => send([one, null]);
    this.#failed = undefined;
    const receipts: Receipt[] = [];
    const stopped = new Set<Receipt>();
    let [left, id] = [request.targets.length, ''];
    let outgoing: ReturnType<typeof asSplit> | undefined;
    await new Promise<void>((resolve) => {
      id = this.announcements.announce({
        ...request,
        onReceipt: (index, receipt, isStopped) => {
          if (isStopped) stopped.add(receipt);
          receipts[index] = receipt;
          outgoing?.onTargetEnd({ index, receipt, delivery: { payload: undefined } });
          left -= 1;
          if (left === 0) resolve();
        },
        onEvent: (event) => this.#sendEvent(event),
      });
      addResults(message, { receipts: [], announcement: id }, 'announce');
      if (request.settings.split) outgoing = asSplit(this.RED, message, left, sendFirst);
    });
    // The user has asked for the stop, so a target that it has taken out is no failure.
    const others = receipts.filter((receipt) => !stopped.has(receipt));
    const failure = outgoing ? outgoing.finish({ receipts: others }) : errorOf(others);
    this.#failed = failure && { receipts, error: failure, at: new Date() };
    this.#show(failure !== undefined);
    const cannotCarry = addResults(message, { receipts, announcement: id }, 'announce');
    const isSent = !outgoing && !cannotCarry && (stopped.size > 0 || others.some(isFine));
    if (isSent) sendFirst(message);
    return failure ?? cannotCarry;
  }

  async #read(message: Message): Promise<{ settings: AnnounceSettings; audio: Audio | string }> {
    const settings = readSettings(this.RED, this.properties, message);
    const audio = orThrow(readAudio(await this.#evaluate(message), 'audio'), invalid);
    return {
      settings,
      audio: typeof audio === 'string' ? audio : await this.announcements.reader.read(audio),
    };
  }

  #evaluate(message: Message): Promise<unknown> {
    const { audio, audioType } = this.properties;
    const type = orThrow(readAudioType(audioType, 'audioType'), invalid);
    if (type === 'str') return Promise.resolve(audio);
    const name = String(audio || 'payload');
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, value: unknown) => (error ? reject(error) : resolve(value));
      this.RED.util.evaluateNodeProperty(name, type, this.node, message, settle);
    }).catch((error: unknown) => {
      // Reading `msg.a.b` throws a TypeError if `msg.a` is undefined; `readAudio` then rejects `undefined`.
      if (error instanceof TypeError) return undefined;
      throw invalid('audio cannot be read', `it is read from ${type}.${name}: ${wordsOf(error)}`);
    });
  }

  async #stop(message: Message, send: Send<Outgoing>, since: number): Promise<DeviceError | undefined> {
    const targets = findTargets(this.properties, message);
    await this.#last;
    await this.announcements.stop(this.node.id, devicesIn(targets));
    return this.#answer(message, send, since, targets, 'stop');
  }

  /** Sends one receipt for each target, which needs nothing more of its device. */
  #answer(
    message: Message,
    send: Send<Outgoing>,
    since: number,
    targets: Targets,
    operation: string,
    error?: DeviceError,
  ): DeviceError | undefined {
    if (error) this.status.showPassing(() => errorStatus(this.RED._, error));
    const asked = { node: this.#named, by: personIn(message), since };
    const operationName = `announce/${operation}`;
    const receipts = targets.list.map((target) =>
      this.announcements.receiptOf(asked, target, { operationName, error: target.error ?? error }),
    );
    return asOne(message, (one) => send([one, null])).finish({ receipts });
  }

  get #named(): { readonly id: string; readonly name: string } {
    return { id: this.node.id, name: this.node.name ?? '' };
  }

  #show(isNews = false): void {
    const counts = this.announcements.counts(this.node.id);
    const key = `${counts.playing} ${counts.waiting}`;
    if (!isNews && (key === this.#shown || (this.#shown === '' && key === '0 0'))) return;
    this.#shown = key;
    const failed = key === '0 0' ? this.#failed : undefined;
    this.status.show(() => (failed ? doneStatus(this.RED._, failed) : statusOf(this.RED._, counts)));
  }
}

function devicesIn({ list }: Targets): Device[] {
  return list.flatMap(({ device }) => device ?? []);
}

function statusOf(
  translate: Translate,
  { playing, waiting }: { readonly playing: number; readonly waiting: number },
): NodeStatus {
  if (playing > 0)
    return { fill: 'blue', shape: 'dot', text: translate('status.playing', { count: String(playing) }) };
  if (waiting > 0)
    return { fill: 'blue', shape: 'ring', text: translate('status.waiting', { count: String(waiting) }) };
  return { fill: 'grey', shape: 'dot', text: translate('status.idle') };
}
