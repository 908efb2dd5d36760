/**
 * Sites in one process: the real protocol and the real use of a broker, a connection each, over devices that answer
 * after a moment by themselves.
 */
import { createRequire } from 'node:module';
import { serve } from '../processes/child.mjs';
import { cpu } from '../processes/probe.mjs';

const require = createRequire(import.meta.url);
const mqtt = require('mqtt');
const { Broker } = require('../../dist/src/runtime/sites/broker.js');
const { Loop } = require('../../dist/src/runtime/sites/loop.js');
const { Site } = require('../../dist/src/sites/site.js');
const { operationNameOf } = require('../../dist/src/sites/wire.js');

const prefix = 'algo/v2';
const sites = [];

serve({
  cpu,
  /** Resolves when so many sites are ready. */
  async open({ from, count, port, devices, answerMs }) {
    const opened = Array.from({ length: count }, (_, index) => {
      return new SimulatedSite(`s${from + index}`, port, devices, answerMs);
    });
    sites.push(...opened);
    await Promise.all(opened.map((site) => site.ready));
  },
});

/** One instance of a site with so many devices. */
class SimulatedSite {
  #name;
  #devices;
  #answerMs;
  #site;
  #broker;
  #begun = new Map();
  #isReady = () => {};
  #loop;
  ready = new Promise((resolve) => {
    this.#isReady = resolve;
  });

  constructor(name, port, devices, answerMs) {
    this.#name = name;
    this.#devices = devices;
    this.#answerMs = answerMs;
    this.#site = new Site({
      site: name,
      instance: `${name}-${process.pid}`,
      startedAt: performance.now(),
      nodeId: name,
      rank: 0,
      isIdempotent: () => false,
      now: () => new Date().toISOString(),
    });
    const machine = {
      wakeAt: (now) => this.#site.wakeAt(now),
      tick: (now) => this.#site.tick(now),
    };
    this.#loop = new Loop(machine, (action) => this.#doOne(action), console.error);
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5, clean: true });
    // What a broker node of core is, as far as it is used.
    const node = { connected: false, client, register: () => {}, deregister: (_user, done) => done() };
    this.#broker = new Broker(
      node,
      name,
      { prefix, site: name },
      {
        connected: () => this.#do(this.#site.connected(performance.now())),
        disconnected: () => this.#do(this.#site.disconnected(performance.now())),
        message: (topic, payload, expiry) =>
          this.#do(this.#site.message(performance.now(), { ...topic, payload, expiry })),
        refused: (words) => console.error(words),
        warn: (words) => console.error(words),
      },
    );
    client.once('connect', () => {
      node.connected = true;
      this.#broker.open();
    });
  }

  #do(actions) {
    this.#loop.do(actions);
    if (this.#site.isReady) this.#isReady();
  }

  #doOne({ do: what, id, ...rest }) {
    if (what === 'publish') this.#publish(id, rest);
    else if (what === 'begin') this.#begin(id, rest.job);
    else if (what === 'admit') setTimeout(() => this.#finish(id), this.#answerMs);
    else if (what === 'drop') this.#begun.delete(id);
  }

  #publish(id, { kind, message, expiry }) {
    this.#broker.publish({ site: this.#name, kind, id }, { message, expiry }, (words) =>
      console.error(words),
    );
  }

  #begin(id, job) {
    this.#begun.set(id, job);
    setImmediate(() => this.#do(this.#site.turn(performance.now(), id)));
  }

  #finish(id) {
    const job = this.#begun.get(id);
    if (!job) return;
    this.#begun.delete(id);
    const operation = operationNameOf(job.command);
    const receipts = Array.from({ length: this.#devices }, (_, index) => ({
      device: `Device ${index}`,
      address: `10.0.0.${index}`,
      operation,
      outcome: 'accepted',
      attempts: 1,
      latencyMs: this.#answerMs,
      at: new Date().toISOString(),
      statusCode: 200,
    }));
    this.#do(this.#site.finished(performance.now(), id, receipts));
  }
}
