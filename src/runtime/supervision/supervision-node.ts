import type { Node, NodeAPI, NodeMessage, NodeStatus } from 'node-red';
import { show } from '../../catalogue/describe';
import { asDeviceError, DeviceError } from '../../client/errors';
import { choice, isOn, orThrow } from '../../kernel/property';
import { findTargets } from '../device/targets';
import type { Open } from '../lazy';
import { invalid } from '../message/invalid';
import { MessageNode, type Send } from '../message/message-node';
import { errorStatus, type Translate } from '../message/status';
import { storedNode } from '../stored-node';
import type { StateCounts } from './engine';
import { readSupervision, type SupervisionProperties } from './expectations';
import { type DeviceState, deviceStates } from './finding';
import { metricsContentType } from './metrics';
import { type SupervisionStates, statesOf } from './states';
import { Supervision, type SupervisionSink } from './supervision';

interface SupervisionMessage extends NodeMessage {
  operation?: unknown;
  device?: unknown;
  until?: unknown;
  headers?: unknown;
}

type Outgoing = (NodeMessage | null)[];

const readOperation = choice(['report', 'metrics', 'check', 'mask', 'unmask'], { empty: 'report' });

export function supervisionNode(RED: NodeAPI): Open<SupervisionProperties> {
  const states = statesOf(RED);
  return (node, definition) => void new SupervisionNode(RED, node, definition, states);
}

class SupervisionNode extends MessageNode<SupervisionMessage, Outgoing> {
  readonly #supervision: Supervision | DeviceError;
  #shown = '';

  constructor(
    RED: NodeAPI,
    node: Node,
    definition: SupervisionProperties,
    private readonly states: SupervisionStates,
  ) {
    super(RED, node, 'supervision');
    const supervision = this.#begin(definition);
    this.#supervision = supervision;
    if (supervision instanceof Supervision) this.followDeploys(() => supervision.follow());
  }

  protected async run(message: SupervisionMessage, send: Send<Outgoing>): Promise<undefined> {
    const supervision = this.#supervision;
    const operation = orThrow(readOperation(message.operation, 'msg.operation'), invalid);
    if (supervision instanceof DeviceError) throw supervision;
    if (operation === 'mask') {
      const until = untilOf(message.until, Date.now());
      supervision.mask(findTargets({ target: 'msg' }, message), until);
    } else if (operation === 'unmask') {
      supervision.unmask(findTargets({ target: 'msg' }, message));
    } else if (operation === 'metrics') {
      const headers = { 'content-type': metricsContentType };
      send([null, Object.assign(message, { payload: supervision.metrics(), headers })]);
    } else {
      if (operation === 'check') await supervision.checkAll();
      send([null, Object.assign(message, { payload: supervision.report() })]);
    }
  }

  /** The status shows the devices, and no error of a message. */
  protected override showError(): void {}

  protected stop(isDeleted: boolean): void {
    if (this.#supervision instanceof Supervision) this.#supervision.stop();
    if (isDeleted) this.states.forget(this.node.id);
  }

  #begin(definition: SupervisionProperties): Supervision | DeviceError {
    const states = this.states.open(this.node.id, isOn(definition.initial));
    try {
      const settings = readSupervision(definition, () => storedNode(this.RED, this.node).settings);
      return new Supervision(() => findTargets(definition, {}), settings, this.#sink, states);
    } catch (fault) {
      const error = asDeviceError(fault, 'supervision');
      this.node.error(`${error.message}; nothing is checked`);
      this.status.show(() => errorStatus(this.RED._, error));
      return error;
    }
  }

  readonly #sink: SupervisionSink = {
    change: ({ initial, ...payload }) =>
      this.node.send([{ topic: payload.device, payload, ...(initial && { initial }) }, null]),
    show: (counts, error) => {
      const key = error?.reason ?? JSON.stringify(counts);
      if (key === this.#shown) return;
      this.#shown = key;
      this.status.show(() => (error ? errorStatus(this.RED._, error) : statusOf(this.RED._, counts)));
    },
    fault: (asked, error) => this.node.error(error.message, { topic: asked, payload: null } as NodeMessage),
  };
}

/**
 * Matches a date and time in ISO 8601. `Date` also parses texts in other formats, whose meaning is ambiguous.
 */
const isoTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

function untilOf(until: unknown, now: number): number {
  const isNumber = typeof until === 'number' || (typeof until === 'string' && /^\d+(?:\.\d+)?$/.test(until));
  const [, day] = (typeof until === 'string' && isoTime.exec(until)) || [];
  // `Date` takes February 30 for March 2.
  const isTime = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  const at = isNumber ? now + Number(until) * 1000 : isTime ? Date.parse(String(until)) : Number.NaN;
  // 8.64e15 is the latest time that `Date` supports, in epoch milliseconds.
  if (at > now && at <= 8.64e15) return at;
  throw invalid(
    'msg.until must be a time ahead, as in ISO 8601 or in seconds from now',
    `got ${show(until)}`,
  );
}

const looks: Readonly<Record<DeviceState, Pick<NodeStatus, 'fill' | 'shape'>>> = {
  offline: { fill: 'red', shape: 'ring' },
  fault: { fill: 'red', shape: 'dot' },
  warning: { fill: 'yellow', shape: 'dot' },
  unknown: { fill: 'grey', shape: 'ring' },
  masked: { fill: 'grey', shape: 'dot' },
  ok: { fill: 'green', shape: 'dot' },
};

/**
 * The states that decide the status of the node, worst first. If no device has such a state, the status shows
 * `ok` or `masked`.
 */
const decisive = deviceStates.filter((state) => state !== 'masked' && state !== 'ok');

const statusKeys: Readonly<Record<DeviceState, readonly [one: string, several: string]>> = {
  offline: ['status.offline', 'status.offline'],
  fault: ['status.oneFault', 'status.faults'],
  warning: ['status.oneWarning', 'status.warnings'],
  unknown: ['status.notChecked', 'status.notChecked'],
  masked: ['status.masked', 'status.masked'],
  ok: ['status.devicesOk', 'status.devicesOk'],
};

export function statusOf(translate: Translate, counts: StateCounts): NodeStatus {
  const state = decisive.find((one) => counts[one] > 0) ?? (counts.ok > 0 ? 'ok' : 'masked');
  const count = counts[state];
  const [one, several] = statusKeys[state];
  return { ...looks[state], text: translate(count === 1 ? one : several, { count: String(count) }) };
}
