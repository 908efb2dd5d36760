import { randomUUID } from 'node:crypto';
import type { Node, NodeAPI, NodeDef, NodeStatus } from 'node-red';
import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import { DeviceError } from '../../client/errors';
import { PropertyFinding, readProperties } from '../../kernel/property';
import { Centre, type CentreAction, type JobOutcome } from '../../sites/centre';
import { answerOf, type SiteAnswer, type SiteReceipt } from '../../sites/receipts';
import { keysOf } from '../../sites/signing';
import { type JobMessage, operationNameOf } from '../../sites/wire';
import { journalOf } from '../journal/shared-journal';
import { MessageNode, type Send } from '../message/message-node';
import { addResults, errorOf, type Receipt, succeeded } from '../message/receipt';
import { countStatus, doneStatus, sendingStatus, unsetStatus } from '../message/status';
import { Broker, type BrokerNode, brokerNode } from './broker';
import { Loop } from './loop';
import { centreOrders, PendingJobs } from './persisted';
import {
  notConfigured,
  type RemoteMessage,
  type RemoteProperties,
  readRequest,
  readSites,
  readTtl,
} from './remote-message';
import { readPrefix, readSecret } from './settings';

type Outgoing = Omit<RemoteMessage, 'receipts'> & {
  sites?: Readonly<Record<string, SiteAnswer>>;
  receipts?: readonly SiteReceipt[];
};

/** A message that waits for the answers of its sites. */
interface Request {
  readonly sites: readonly string[];
  readonly answers: Map<string, SiteAnswer>;
  resolve(): void;
  giveUp(fault: unknown): void;
}

export function openRemote(
  RED: NodeAPI,
  node: Node<{ secret?: unknown }>,
  definition: NodeDef & RemoteProperties,
): void {
  new RemoteNode(RED, node, definition, readSecret(node.credentials?.secret));
}

class RemoteNode extends MessageNode<Outgoing, readonly unknown[]> {
  readonly #centre: Centre;
  readonly #pending: PendingJobs;
  readonly #requests = new Map<string, Request>();
  readonly #loop: Loop<CentreAction>;
  #broker: Broker | undefined;
  #fault: Text | undefined;

  constructor(
    RED: NodeAPI,
    node: Node,
    private readonly properties: RemoteProperties,
    private readonly secret: string | undefined,
  ) {
    super(RED, node, 'remote');
    this.#centre = new Centre({ now: () => new Date().toISOString(), isSigned: secret !== undefined });
    this.#loop = new Loop<CentreAction>(
      this.#centre,
      (action) => this.#carryOut(action),
      (line) => this.log(line),
    );
    this.#pending = new PendingJobs(journalOf(RED), node.id);
    const readers = { prefix: readPrefix, broker: (id: unknown) => brokerNode(RED, id) };
    const read = readProperties(readers, properties);
    if (read instanceof PropertyFinding) this.#fault = read.sentence;
    else this.#open(read);
    if (this.#fault !== undefined) this.status.show(() => unsetStatus(RED._));
    else if (secret === undefined) {
      this.status.show(() => ({ fill: 'grey', shape: 'ring', text: RED._('status.unsigned') }));
    }
  }

  /** Jobs continue at the sites, and the node reports their results after the deploy. */
  protected stop(removed: boolean): unknown {
    for (const request of this.#requests.values()) request.giveUp(closedError());
    this.#requests.clear();
    this.#loop.close();
    return new Promise<void>((resolve) => {
      if (this.#broker) this.#broker.close(removed, resolve);
      else resolve();
    });
  }

  #open({ prefix, broker }: { readonly prefix: string; readonly broker: BrokerNode }): void {
    this.#pending.recallTo(this.#centre);
    this.#broker = new Broker(
      broker,
      this.node.id,
      { prefix, site: '+' },
      {
        connected: () => this.#loop.do(this.#centre.connected(performance.now())),
        disconnected: () => this.#loop.do(this.#centre.disconnected()),
        message: (topic, payload) => this.#loop.do(this.#centre.message(performance.now(), topic, payload)),
        refused: (sentence) => this.log(sentence),
        ignored: (topic) => this.#centre.ignored(topic),
        warn: (sentence) => this.log(sentence),
      },
      this.secret === undefined ? undefined : keysOf(this.secret),
    );
    this.#broker.open();
    this.#loop.do([]);
  }

  protected async run(message: Outgoing, send: Send<readonly unknown[]>): Promise<DeviceError | undefined> {
    try {
      return await this.#ask(message, send);
    } catch (fault) {
      // Unlike an assignment, `Reflect.set` does not throw for a frozen message.
      Reflect.set(message, 'sites', {});
      Reflect.set(message, 'receipts', []);
      throw fault;
    }
  }

  async #ask(message: Outgoing, send: Send<readonly unknown[]>): Promise<DeviceError | undefined> {
    const { RED, properties } = this;
    const asked = message as unknown as RemoteMessage;
    if (this.#fault !== undefined) {
      throw notConfigured(this.#fault);
    }
    const ttlMs = readTtl(properties, asked);
    const sites = readSites(properties, asked, this.#centre.sites);
    const { command, isIdempotent, devices } = await readRequest(RED, this.node, properties, asked);
    if (this.isClosing) throw closedError();
    this.status.showPassing(() => sendingStatus(RED._, operationNameOf(command)));
    const [id, at] = [randomUUID(), new Date().toISOString()];
    const order = centreOrders.of(RED).next();
    const jobs = sites.map((site): JobMessage => ({ v: 2, id, site, at, command, devices, ...order }));
    const answers = new Map<string, SiteAnswer>();
    await new Promise<void>((resolve, giveUp) => {
      const request = { sites, answers, resolve, giveUp };
      this.#requests.set(id, request);
      const ask = () => {
        const isOpen = this.#requests.get(id) === request;
        for (const job of jobs) {
          if (isOpen) this.#loop.do(this.#centre.ask(performance.now(), { job, ttlMs, isIdempotent }));
          else this.#pending.delete(job);
        }
      };
      this.#pending.put(jobs, ttlMs, isIdempotent).then(ask).catch(giveUp);
    });
    const inOrder = sites.flatMap((site): [string, SiteAnswer][] => {
      const answer = answers.get(site);
      return answer ? [[site, answer]] : [];
    });
    const receipts = inOrder.flatMap(([, answer]) => answer.receipts);
    const found = receipts as unknown as readonly Receipt[];
    const cannotCarry = addResults(
      message,
      { sites: Object.fromEntries(inOrder), receipts: found },
      'remote',
    );
    const error = errorOf(found) ?? cannotCarry;
    this.status.show(() => this.#signedOr(doneStatus(RED._, { receipts: found, error, at: new Date() })));
    if ((!error || found.some(succeeded)) && !cannotCarry) send([message, null]);
    return error;
  }

  #signedOr(status: NodeStatus): NodeStatus {
    if (this.secret !== undefined) return status;
    return { ...status, text: `${status.text}, ${this.RED._('status.unsigned')}` };
  }

  #carryOut(action: CentreAction): void {
    if (action.do === 'answer') this.#answered(action);
    else if (action.do === 'late') this.#reportLate(action);
    else {
      const { site, id, message } = action;
      this.#broker?.publish(action, action, (words, reason) => {
        this.log(words);
        this.#loop.do(this.#centre.refused(site, id, reason, message !== undefined));
      });
    }
  }

  #answered(outcome: JobOutcome): void {
    this.#pending.delete(outcome);
    const request = this.#requests.get(outcome.id);
    if (!request) {
      this.#reportLate(outcome);
      return;
    }
    const { answers, sites, resolve } = request;
    answers.set(outcome.site, answerOf(outcome.site, outcome.result));
    if (answers.size < sites.length) {
      this.status.showPassing(() => countStatus(this.RED._, answers.size, sites.length));
      return;
    }
    this.#requests.delete(outcome.id);
    resolve();
  }

  /**
   * Sends a late result to the second output. The message of its request has already left the node, or
   * arrived before a deploy or a restart.
   */
  #reportLate(outcome: JobOutcome): void {
    const { id, site, result } = outcome;
    const answer = answerOf(site, result);
    const payload = { id, site, ...answer };
    this.node.send([
      null,
      { topic: site, payload, sites: { [site]: answer }, receipts: answer.receipts },
    ] as never);
  }

  protected override log(line: string): void {
    this.RED.log.warn(`[algo-remote:${this.node.name || this.node.id}] ${line}`);
  }
}

function closedError(): DeviceError {
  const words = joinMessages([localized('nodeClosed'), 'the results at the sites are unknown']);
  return new DeviceError('ABORTED', words, { place: 'remote' });
}
