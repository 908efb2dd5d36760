import { randomUUID } from 'node:crypto';
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { wordsOf } from '../../client/errors';
import { PropertyFinding, readProperties } from '../../kernel/property';
import { Throttle } from '../../kernel/time/throttle';
import type { SiteAction } from '../../sites/actions';
import { maxInstances } from '../../sites/peer-registry';
import { Site } from '../../sites/site';
import { type JobMessage, operationNameOf, type WireReceipt } from '../../sites/wire';
import { journalOf } from '../journal/shared-journal';
import { ownReceipt } from '../message/receipt';
import { StatusLine } from '../message/status';
import { Broker, type BrokerNode, brokerNode } from './broker';
import { isEarnest, isIdempotent, JobRunner } from './job-runner';
import { RateLimitedLog } from './logs';
import { Loop } from './loop';
import { outputsOf } from './outputs';
import { JobStore, wireIdOf } from './persisted';
import { readKey, readSite, type SiteProperties, type SiteSettings } from './settings';

/**
 * Time after which a connected site is treated as unable to read, if none of its own messages come back, in
 * milliseconds.
 */
const loopbackTimeoutMs = 5_000;

/**
 * If this number of consecutive connections ended before a message came back, the monitor assumes a missing
 * permission.
 */
const maxLost = 3;

/**
 * Checks whether a site receives its own messages. A broker can allow a site to read, to write, both or
 * neither.
 */
class LoopbackMonitor {
  /**
   * Time since which the site is connected without receiving its own messages, on the monotonic clock;
   * undefined otherwise.
   */
  #since: number | undefined;
  /**
   * Number of consecutive connections that ended before a message came back. Some brokers disconnect a client
   * that sends a forbidden message.
   */
  #silentConnections = 0;
  #isRefused = false;

  connection(is: boolean, wasConnected: boolean, hasReceived: boolean): void {
    this.#isRefused = false;
    if (wasConnected && !is && !hasReceived) this.#silentConnections += 1;
  }

  refused(): void {
    this.#isRefused = true;
  }

  receivesNothing(isConnected: boolean, receivesOwn: boolean, now: number): boolean {
    if (receivesOwn) this.#silentConnections = 0;
    if (!isConnected || receivesOwn) this.#since = undefined;
    else this.#since ??= now;
    const isLong = this.#since !== undefined && now - this.#since >= loopbackTimeoutMs;
    return isLong || this.#isRefused || this.#silentConnections >= maxLost;
  }
}

/**
 * Minimum time between two reports about the site's instances, in milliseconds. A change of the connection is
 * reported immediately.
 */
const notifyPauseMs = 250;

/** Maximum number of lines that are logged individually in each period of `linesPauseMs` milliseconds. */
const maxLines = 20;
const linesPauseMs = 10_000;

export function openSite(
  RED: NodeAPI,
  node: Node<{ key?: unknown }>,
  definition: NodeDef & SiteProperties,
): void {
  const readers = {
    settings: () => readSite(definition),
    broker: (broker: unknown) => brokerNode(RED, broker),
    key: readKey,
  };
  const read = readProperties(readers, { broker: definition.broker, key: node.credentials?.key });
  if (read instanceof PropertyFinding) {
    node.status({ fill: 'red', shape: 'ring', text: RED._('status.NOT_CONFIGURED') });
    node.error(`${read.sentence}; this site does nothing`);
    return;
  }
  const site = new SiteNode(RED, node, read.settings, read.broker, read.key);
  node.on('close', (removed: boolean, done: () => void) => site.close(removed, done));
}

class SiteNode {
  readonly #instance = randomUUID();
  readonly #site: Site;
  readonly #runner: JobRunner;
  readonly #broker: Broker;
  readonly #memory: JobStore;
  readonly #status: StatusLine;
  readonly #loop: Loop<SiteAction>;
  readonly #notifications = new Throttle(() => this.#loop.guard(() => this.#notify()), notifyPauseMs);
  readonly #left = new Map<string, number>();
  readonly #lines = new RateLimitedLog(
    (line) => this.RED.log.warn(`[algo-site:${this.node.name || this.settings.site}] ${line}`),
    maxLines,
    linesPauseMs,
  );
  #isConnected = false;
  readonly #loopbackMonitor = new LoopbackMonitor();
  #receivesNothing = false;
  #isFull = false;
  #shown = '';

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly settings: SiteSettings,
    broker: BrokerNode,
    private readonly key: string | undefined,
  ) {
    const { site, prefix, rank } = settings;
    this.#status = new StatusLine(node);
    const journal = journalOf(RED);
    this.#memory = new JobStore(journal, `${prefix}/${site}`);
    this.#site = new Site({
      site,
      instance: this.#instance,
      startedAt: performance.now(),
      nodeId: wireIdOf(journal, node.id),
      rank,
      isIdempotent,
      outputs: outputsOf,
      isEarnest,
      now: () => new Date().toISOString(),
      remembered: this.#memory.results,
    });
    const tick = (now: number) => {
      const actions = this.#site.tick(now);
      this.#notifications.soon();
      return actions;
    };
    this.#loop = new Loop<SiteAction>(
      { wakeAt: (now) => this.#site.wakeAt(now), tick },
      (action) => this.#carryOut(action),
      (line) => this.#log(line),
    );
    this.#runner = new JobRunner(node, settings, {
      turn: (id) => this.#loop.do(this.#site.turn(performance.now(), id)),
      finished: (job, receipts) => this.#finished(job, receipts),
      fault: (fault) => this.#log(wordsOf(fault)),
    });
    this.#broker = new Broker(
      broker,
      node.id,
      { prefix, site },
      {
        subscribing: () => this.#site.subscribing(performance.now()),
        connected: () => this.#connected(true),
        disconnected: () => this.#connected(false),
        message: (topic, payload, expiry) => {
          this.#loop.do(this.#site.message(performance.now(), { ...topic, payload, expiry }));
          // Only `state` messages change the lists of live and active instances.
          if (topic.kind === 'state') this.#notifications.soon();
        },
        refused: (sentence) => {
          this.#loopbackMonitor.refused();
          this.#log(sentence);
          this.#loop.do(this.#site.disconnected(performance.now()));
          this.#notify();
        },
        warn: (sentence) => this.#log(sentence),
      },
      key === undefined ? undefined : (name) => (name === site ? key : undefined),
    );
    this.#broker.open();
    this.#notify();
    this.#loop.do([]);
  }

  close(removed: boolean, done: () => void): void {
    this.#loop.guard(() => this.#loop.do(this.#site.retire()));
    this.#runner.close();
    // The receipts of the aborted jobs arrive in the next turns of the event loop.
    setTimeout(() => {
      this.#loop.guard(() => this.#loop.do(this.#site.leave(performance.now())));
      this.#loop.close();
      this.#notifications.clear();
      this.#status.clear();
      this.#loop.guard(() => this.#broker.close(removed, done));
      this.#lines.close();
    }, 100);
  }

  #connected(is: boolean): void {
    this.#loopbackMonitor.connection(is, this.#isConnected, this.#site.isReady);
    this.#isConnected = is;
    const now = performance.now();
    this.#loop.do(is ? this.#site.connected(now) : this.#site.disconnected(now));
    this.#notify();
  }

  #carryOut(action: SiteAction): void {
    const { id } = action;
    if (action.do === 'publish') {
      const topic = { site: this.settings.site, kind: action.kind, id };
      this.#broker.publish(topic, action, (words) => this.#log(words));
    } else if (action.do === 'begin') {
      this.#left.set(id, action.leftMs);
      this.#runner.begin(action.job, action.leftMs, action.agoMs);
    } else if (action.do === 'drop') {
      this.#left.delete(id);
      this.#runner.drop(id);
    } else if (action.do === 'refuse') this.#runner.refuse(id);
    else if (action.do === 'admit') this.#admit(id, action.isIdempotent);
    else if (action.do === 'remember') void this.#memory.put(id, this.#left.get(id) ?? 0, action.result);
    else if (action.do === 'refused') this.#log(`job ${id.slice(0, 80)} is not done: ${action.reason}`);
    else this.#runner.clearLate(action.alert, action.order, action.drill);
  }

  /** Admits a job. For a job that is not idempotent, first waits for the write to the journal. */
  #admit(id: string, mayBeTwice: boolean): void {
    if (mayBeTwice) {
      this.#runner.admit(id);
      return;
    }
    this.#memory.put(id, this.#left.get(id) ?? 0, null).then(
      () => this.#loop.guard(() => this.#runner.admit(id)),
      (fault: unknown) => this.#log(wordsOf(fault)),
    );
  }

  #finished(job: JobMessage, receipts: readonly WireReceipt[]): void {
    this.#loop.do(this.#site.finished(performance.now(), job.id, receipts));
    this.#left.delete(job.id);
    this.#memory.prune();
    const { command, devices, id } = job;
    // The flow gets a copy of the receipts: the site might have to send the originals again.
    const own = receipts.map(ownReceipt);
    const payload =
      'alert' in command ? { alert: command.alert, action: command.action } : command.parameters;
    const message = {
      topic: operationNameOf(command),
      payload,
      device: devices,
      job: { id, at: job.at },
      receipts: own,
    };
    this.node.send([message, null] as never);
  }

  #notify(): void {
    const now = performance.now();
    const { site } = this.settings;
    const state = stateOf(this.#site, this.settings, this.#instance, this.#isConnected, now);
    this.#listen(now);
    const text = `${JSON.stringify(state)} ${this.#receivesNothing}`;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#loop.guard(() => {
      const { global } = this.node.context();
      const sites = (global.get('algoSites') ?? {}) as Record<string, SiteState>;
      global.set('algoSites', { ...sites, [site]: state });
    });
    this.#status.show(() => {
      const away = this.#receivesNothing ? 'deaf' : 'away';
      const key = state.connected ? (state.active ? 'active' : 'standby') : away;
      const fill = state.connected ? (state.active ? 'green' : 'grey') : 'red';
      const text = this.RED._(`status.${key}`);
      const isUnsigned = state.connected && this.key === undefined;
      return {
        fill,
        shape: state.connected ? 'dot' : 'ring',
        text: isUnsigned ? `${text}, ${this.RED._('status.unsigned')}` : text,
      };
    });
    this.node.send([null, { topic: site, payload: state }] as never);
  }

  #listen(now: number): void {
    const receivesNothing = this.#loopbackMonitor.receivesNothing(this.#isConnected, this.#site.isReady, now);
    if (receivesNothing && !this.#receivesNothing) {
      const topics = `${this.settings.prefix}/${this.settings.site}/#`;
      this.#log(
        `the messages of this site do not come back from the broker: check that its user can read and write ${topics}`,
      );
    }
    this.#receivesNothing = receivesNothing;
    if (this.#site.peers.isFull && !this.#isFull) {
      this.#isFull = true;
      this.#log(
        `more than ${maxInstances} instances report that they belong to this site: the rest is ignored`,
      );
    }
  }

  #log(line: string): void {
    this.#lines.log(line);
  }
}

interface SiteState {
  readonly site: string;
  readonly instance: string;
  readonly rank: number;
  /** Whether this instance does the work that must be done only once at the site. */
  readonly active: boolean;
  readonly connected: boolean;
  readonly others: readonly { readonly instance: string; readonly rank: number | null }[];
}

function stateOf(
  { peers, isReady }: Site,
  { site, rank }: SiteSettings,
  instance: string,
  isConnected: boolean,
  now: number,
): SiteState {
  const others = peers
    .living(now)
    .map((peer) => ({ instance: peer.instance, rank: Number.isFinite(peer.rank) ? peer.rank : null }));
  const active = peers.isActive(now);
  return { site, instance, rank, active, connected: isConnected && isReady, others };
}
