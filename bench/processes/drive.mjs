/** Sends messages into a flow, and measures until all of them have come out of it. */
import { cpu, watchLoop } from './probe.mjs';

/** The nodes that messages enter by, in the flow's order. */
const sources = [];
let lastId = 0;
/** The run that messages belong to now. */
let current;

/** Told by a node that messages enter by. */
export function addSource(index, node) {
  sources[index] = node;
}

/** Sends one message, which no one waits for. */
export function send({ source, message = {} }) {
  sources[source].send({ ...message, bench: { run: 0 } });
}

/** Told by the nodes at a flow's end. A message that did something and failed otherwise comes to both. */
export function arrived(message, isError) {
  const { run, lane } = message.bench ?? {};
  if (run !== current?.id) return;
  if (isError || (message.statusCode ?? 200) !== 200) current.failures += 1;
  // In the middle of other messages, only the receipt knows when the emergency came to its node.
  for (const { operation, latencyMs, wireMs } of message.receipts ?? [])
    if (operation === 'emergency/start') current.emergencyMs = latencyMs - wireMs;
  const comesTwice = isError && message.receipts?.some(({ outcome }) => outcome === 'accepted');
  if (!comesTwice) current.ended(lane);
}

/** The messages of one sample: so many lanes, in each of which one message is under way. */
class Run {
  failures = 0;
  emergencyMs;
  #order;
  #unsent;
  #unanswered;
  /** For each lane, how many of its messages were sent, and how many answers are missing. */
  #sent;
  #missing;
  #resolve;

  constructor(id, order) {
    this.id = id;
    this.#order = order;
    this.#unsent = order.count;
    this.#unanswered = order.count * order.answers;
    this.#sent = new Uint32Array(order.lanes);
    this.#missing = new Uint32Array(order.lanes);
  }

  /** Sends the first message of each lane in one turn, or all at their rate, and resolves when all have ended. */
  perform() {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#order.perSecond) return this.#pace();
      for (let lane = 0; lane < this.#order.lanes; lane += 1) this.#send(lane);
    });
  }

  /** A timer comes late on a busy loop: what was due meanwhile is sent then. */
  #pace() {
    const began = performance.now();
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) * this.#order.perSecond) / 1000);
      for (let lane = this.#order.count - this.#unsent; lane < due && this.#unsent > 0; lane += 1)
        this.#send(lane);
      if (this.#unsent === 0) clearInterval(timer);
    }, 1);
  }

  ended(lane) {
    this.#missing[lane] -= 1;
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#resolve();
    else if (!this.#order.perSecond && this.#missing[lane] === 0 && this.#unsent > 0) this.#send(lane);
  }

  #send(lane) {
    const { lanes, over, answers, message, last } = this.#order;
    const isLast = last !== undefined && this.#unsent === 1;
    const source = isLast ? last : (lane + lanes * this.#sent[lane]) % over;
    this.#unsent -= 1;
    this.#sent[lane] += 1;
    this.#missing[lane] = answers;
    sources[source].send({ ...message, bench: { run: this.id, lane } });
  }
}

/**
 * Sends messages and measures what that costs.
 * @param {object} order
 * @param {number} order.count how many messages
 * @param {number} [order.lanes] how many are under way at once; each lane goes on when its message has ended
 * @param {number} [order.perSecond] so many are sent a second instead, whatever has ended
 * @param {number} [order.over] how many sources are used in turn
 * @param {number} [order.answers] how many messages come out for each that goes in
 * @param {object} [order.message] what each message holds
 * @param {number} [order.last] the source of the very last message
 * @returns `cpu` in microseconds for all messages, `ms` until the last one ended, how many `failed`, the longest
 *   turn of the event loop (`hold`) in milliseconds of processor time, when the first was sent (`sentAt`, epoch milliseconds),
 *   and how long the last emergency took from its arrival at the node to its first byte (`emergencyMs`)
 */
export async function drive({ perSecond, over = 1, answers = 1, message = {}, ...rest }) {
  // Each message has a lane of its own where none waits for another.
  const lanes = perSecond ? rest.count : (rest.lanes ?? 1);
  global.gc();
  const holdOf = watchLoop();
  lastId += 1;
  current = new Run(lastId, { ...rest, lanes, perSecond, over, answers, message });
  const cpuBefore = cpu();
  const began = performance.now();
  await current.perform();
  const used = { cpu: cpu() - cpuBefore, ms: performance.now() - began };
  const { failures, emergencyMs } = current;
  current = undefined;
  return { ...used, failures, emergencyMs, hold: await holdOf(), sentAt: performance.timeOrigin + began };
}
