import { randomUUID } from 'node:crypto';
import type { Node, NodeAPI, NodeDef, NodeStatus } from 'node-red';
import { joinMessages, localized } from '../../catalogue/localized-message';
import { DeviceError, describeFault, faultError, wordsOf } from '../../client/errors';
import type { SharedJournal } from '../../kernel/journal/journal';
import { Centre, type CentreAction, type JobOutcome } from '../../sites/centre';
import { type JobMessage, operationNameOf, readTopic, topicOf } from '../../sites/wire';
import { DeadlineTimer } from '../../time/deadline-timer';
import { journalOf } from '../journal/shared-journal';
import { AbortedLog } from '../message/aborted-log';
import { addResults, errorOf, type Receipt, succeeded } from '../message/receipt';
import {
  countStatus,
  doneStatus,
  errorStatus,
  StatusLine,
  sendingStatus,
  unsetStatus,
} from '../message/status';
import { Broker, type BrokerNode, brokerNode } from './broker';
import { IgnoredLog } from './logs';
import { PendingRequests } from './pending-requests';
import {
  notConfigured,
  type RemoteMessage,
  type RemoteProperties,
  readRequest,
  readSites,
  readTtl,
} from './remote-message';
import { SerialQueue } from './serial-queue';
import { readPrefix, readSecret } from './settings';
import { answerOf, type SiteAnswer, type SiteReceipt, SiteRequest } from './site-request';
import { keysOf, signingOf } from './site-signing';

/**
 * Number that is added to the last stored request number after a restart, so that no number repeats. The
 * journal normally lacks only the last few numbers.
 */
const restartGap = 10_000;

const known = new WeakMap<SharedJournal, CentreOrder>();

/**
 * Returns the order of the requests of all `algo-remote` nodes in one Node-RED. All these nodes together are
 * one centre, which stays the same after a restart.
 */
function centreOrderOf(journal: SharedJournal): CentreOrder {
  const order = known.get(journal) ?? new CentreOrder(journal);
  known.set(journal, order);
  return order;
}

class CentreOrder {
  readonly #key = 'centre/order';
  readonly #centre: string;
  #last: number;

  constructor(private readonly journal: SharedJournal) {
    const [found] = [...journal.entries(this.#key)].map(
      ([, value]) => value as Partial<PersistedSequence> | null,
    );
    this.#centre = typeof found?.centre === 'string' ? found.centre : randomUUID();
    this.#last = Number.isSafeInteger(found?.last) ? Number(found?.last) + restartGap : 0;
  }

  /**
   * Returns the centre's next request number. The numbers rise even if the clock was set back or the journal
   * was lost.
   */
  next(): { readonly centre: string; readonly seq: number } {
    this.#last = Math.max(this.#last + 1, Date.now());
    const persisted: PersistedSequence = { centre: this.#centre, last: this.#last };
    // Does not wait for the write: a restart skips more numbers than the journal normally lacks.
    this.journal.put(this.#key, { ...persisted }).catch(() => {});
    return { centre: this.#centre, seq: this.#last };
  }
}

interface PersistedSequence {
  readonly centre: string;
  readonly last: number;
}

type Outgoing = Omit<RemoteMessage, 'receipts'> & {
  sites?: Readonly<Record<string, SiteAnswer>>;
  receipts?: readonly SiteReceipt[];
};

type Send = (messages: readonly unknown[]) => void;
type Done = (error?: Error) => void;

export function openRemote(
  RED: NodeAPI,
  node: Node<{ secret?: unknown }>,
  definition: NodeDef & RemoteProperties,
): void {
  const remote = new RemoteNode(RED, node, definition, readSecret(node.credentials?.secret));
  node.on('input', (message, send, done) => remote.handle(message as Outgoing, send as Send, done));
  node.on('close', (removed: boolean, done: () => void) => remote.close(removed, done));
}

class RemoteNode {
  readonly #centre: Centre;
  readonly #before: PendingRequests;
  readonly #inquiries = new Map<string, SiteRequest>();
  readonly #status: StatusLine;
  readonly #timer = new DeadlineTimer(() =>
    this.#guard(() => this.#do(this.#centre.tick(performance.now()))),
  );
  readonly #drain = new SerialQueue<CentreAction>((action) => this.#guard(() => this.#doOne(action)));
  readonly #ignored = new IgnoredLog((line) => this.#log(line));
  readonly #prefix: string;
  #broker: Broker | undefined;
  #fault: string | undefined;
  #giveUp = new Set<(error: DeviceError) => void>();

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly properties: RemoteProperties,
    private readonly secret: string | undefined,
  ) {
    this.#centre = new Centre({ now: () => new Date().toISOString(), isSigned: secret !== undefined });
    this.#status = new StatusLine(node);
    this.#before = new PendingRequests(journalOf(RED), node.id);
    const prefix = readPrefix(properties.prefix);
    this.#prefix = typeof prefix === 'string' ? prefix : '';
    const broker = brokerNode(RED, properties.broker);
    if (typeof prefix !== 'string') this.#fault = prefix.wrong;
    else if (typeof broker === 'string') this.#fault = broker;
    else this.#open(broker);
    if (this.#fault !== undefined) this.#status.show(() => unsetStatus(RED._));
    else if (secret === undefined) {
      this.#status.show(() => ({ fill: 'grey', shape: 'ring', text: RED._('status.unsigned') }));
    }
  }

  /** Handles one message to its end. Never throws or rejects, since an unhandled error would end Node-RED. */
  handle(message: Outgoing, send: Send, done: Done): void {
    this.#handle(message, send)
      .catch((fault: unknown) => {
        const error = this.#errorOf(fault);
        // Unlike an assignment, `Reflect.set` does not throw for a frozen message.
        Reflect.set(message, 'sites', {});
        Reflect.set(message, 'receipts', []);
        return error;
      })
      .then((error) => done(error))
      .catch((fault: unknown) => this.#log(wordsOf(fault)));
  }

  /** Closes the node. Jobs continue at the sites, and the node reports their results after the deploy. */
  close(removed: boolean, done: () => void): void {
    const words = joinMessages([localized('nodeClosed'), 'the results at the sites are unknown']);
    const error = new DeviceError('ABORTED', words, { place: 'remote' });
    const aborted = new AbortedLog((line) => this.#log(line));
    for (const giveUp of this.#giveUp) {
      aborted.add(error);
      giveUp(error);
    }
    this.#giveUp.clear();
    aborted.flush();
    this.#timer.clear();
    this.#ignored.close();
    this.#status.clear();
    if (this.#broker) this.#broker.close(removed, done);
    else done();
  }

  #open(broker: BrokerNode): void {
    this.#before.recallTo(this.#centre);
    const filters = ['state', 'result', 'claim', 'job'].map((kind) => `${this.#prefix}/+/${kind}/+`);
    this.#broker = new Broker(
      broker,
      this.node.id,
      filters,
      {
        connected: () => this.#do(this.#centre.connected(performance.now())),
        disconnected: () => this.#do(this.#centre.disconnected()),
        message: (topic, payload) => {
          const read = readTopic(this.#prefix, topic);
          if (read) this.#do(this.#centre.message(performance.now(), read, payload));
        },
        refused: (sentence) => this.#log(sentence),
        ignored: (topic, reason) => {
          this.#ignored.record(topic, reason);
          const read = readTopic(this.#prefix, topic);
          if (read) this.#centre.ignored(read);
        },
        warn: (sentence) => this.#log(sentence),
      },
      this.secret === undefined ? undefined : signingOf(this.#prefix, keysOf(this.secret)),
    );
    this.#broker.open();
    this.#do([]);
  }

  async #handle(message: Outgoing, send: Send): Promise<Error | undefined> {
    const { RED, properties } = this;
    const asked = message as unknown as RemoteMessage;
    if (this.#fault !== undefined) {
      throw notConfigured(this.#fault);
    }
    const ttlMs = readTtl(properties, asked);
    const sites = readSites(properties, asked, this.#centre.sites);
    const { command, isIdempotent, devices } = await readRequest(RED, this.node, properties, asked);
    this.#status.showPassing(() => sendingStatus(RED._, operationNameOf(command)));
    const [id, at] = [randomUUID(), new Date().toISOString()];
    const order = centreOrderOf(journalOf(RED)).next();
    const jobs = sites.map((site): JobMessage => ({ v: 2, id, site, at, command, devices, ...order }));
    const inquiry = await new Promise<SiteRequest>((resolve, reject) => {
      this.#giveUp.add(reject);
      const asking = new SiteRequest(sites, (whole) => {
        this.#giveUp.delete(reject);
        resolve(whole);
      });
      this.#inquiries.set(id, asking);
      const ask = () => {
        const isOpen = this.#giveUp.has(reject);
        for (const job of jobs) {
          if (isOpen) this.#do(this.#centre.ask(performance.now(), { job, ttlMs, isIdempotent }));
          else this.#before.delete(id, job.site);
        }
      };
      this.#before.put(jobs, ttlMs, isIdempotent).then(ask).catch(reject);
    });
    const { receipts, answers } = inquiry;
    const found = receipts as unknown as readonly Receipt[];
    const cannotCarry = addResults(message, { sites: answers, receipts: found }, 'remote');
    const error = errorOf(found) ?? cannotCarry;
    this.#status.show(() => this.#signedOr(doneStatus(RED._, { receipts: found, error, at: new Date() })));
    if ((!error || found.some(succeeded)) && !cannotCarry) send([message, null]);
    return error;
  }

  #signedOr(status: NodeStatus): NodeStatus {
    if (this.secret !== undefined) return status;
    return { ...status, text: `${status.text}, ${this.RED._('status.unsigned')}` };
  }

  #do(actions: readonly CentreAction[]): void {
    this.#drain.add(actions);
    this.#timer.set(this.#centre.wakeAt(performance.now()));
  }

  #doOne(action: CentreAction): void {
    if (action.do === 'publish') this.#publish(action);
    else if (action.do === 'answer') this.#answered(action);
    else this.#reportLate(action);
  }

  #publish({ site, kind, id, message, expiry }: Extract<CentreAction, { do: 'publish' }>): void {
    const topic = topicOf(this.#prefix, { site, kind, id });
    this.#broker?.publish(topic, message, { retain: true, expiry }, (words) => {
      this.#log(`the broker did not accept ${topic}: ${words}`);
      this.#do(this.#centre.refused(site, id, words, message !== undefined));
    });
  }

  #answered(outcome: JobOutcome): void {
    const { id, site } = outcome;
    this.#before.delete(id, site);
    const inquiry = this.#inquiries.get(id);
    if (!inquiry) {
      this.#reportLate(outcome);
      return;
    }
    inquiry.answer(outcome);
    const [ended, all] = [inquiry.count, inquiry.sites.length];
    if (ended === all) this.#inquiries.delete(id);
    else this.#status.showPassing(() => countStatus(this.RED._, ended, all));
  }

  /**
   * Sends a late result to the second output. The message of its request has already left the node, or
   * arrived before a deploy or a restart.
   */
  #reportLate(outcome: JobOutcome): void {
    const { id, site } = outcome;
    const answer = answerOf(outcome);
    const payload = { id, site, ...answer };
    this.node.send([
      null,
      { topic: site, payload, sites: { [site]: answer }, receipts: answer.receipts },
    ] as never);
  }

  #errorOf(fault: unknown): DeviceError {
    const error = fault instanceof DeviceError ? fault : faultError(fault, 'remote');
    this.#status.show(() => errorStatus(this.RED._, error));
    return error;
  }

  #guard(task: () => void): void {
    try {
      task();
    } catch (fault) {
      this.#log(describeFault(fault));
    }
  }

  #log(line: string): void {
    this.RED.log.warn(`[algo-remote:${this.node.name || this.node.id}] ${line}`);
  }
}
