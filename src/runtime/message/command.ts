import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { Requirements } from '../../catalogue/compatibility';
import { printable } from '../../catalogue/describe';
import {
  joinMessages,
  localized,
  localizedPhrase,
  parameterIn,
  type Text,
} from '../../catalogue/localized-message';
import type { Operation, OperationGroup, Parameters } from '../../catalogue/operation';
import { type Checked, checkParameters, firstOf } from '../../catalogue/validate';
import type { WireRequest } from '../../client/client';
import { DeviceError, saidOf } from '../../client/errors';
import { type DeviceOutput, deviceOutputFor } from '../../client/queue/entry';
import { buildRequest, type RequestTemplate } from '../../client/request';
import type { TargetProperties } from '../device/targets';
import type { ActionHooks } from './hooks';
import {
  type DeliveryOptions,
  type DeliveryProperties,
  noDeliveryOptions,
  readDeliveryOptions,
} from './options';
import { collectParameters, isConstant, type ParameterProperties } from './parameters';
import type { Receipt } from './receipt';
import type { AutoStops } from './stop-command';

/** What a message may say to an action node, and what it says when it leaves. */
export interface ActionMessage extends NodeMessage {
  device?: unknown;
  operation?: unknown;
  /** Seconds. */
  ttl?: unknown;
  receipts?: Receipt[];
}

/** The properties of an action node as they are stored, `${ENV}` already replaced: of any type. */
export interface ActionProperties extends TargetProperties, ParameterProperties, DeliveryProperties {
  readonly operation?: unknown;
  readonly confirmWrite?: unknown;
  readonly reloadAfter?: unknown;
  readonly waitUntilBack?: unknown;
  readonly skipUnchanged?: unknown;
}

/** One action node. */
export interface ActionNode {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly group: OperationGroup;
  readonly properties: ActionProperties;
  readonly hooks: ActionHooks;
  /** Stops, after a time, what its messages start; undefined for a node whose messages replace no pending stop. */
  readonly autoStops: AutoStops | undefined;
  /** Asked before anything is written, when a device's turn has come: resolves when it may be. */
  readonly admission?: () => Promise<void>;
  /** What it sends nobody sent a message for: a start of the same thing goes before it. */
  readonly yields?: boolean;
  /** Says in the node's status how far a message is. */
  progress(text: string): void;
}

/** Checked parameters, and what they start or end. */
interface CheckedParameters {
  readonly parameters: Parameters;
  readonly subject: DeviceOutput | undefined;
}

/** The checked parameters of nodes whose form holds nothing that depends on the message. */
const constants = new WeakMap<ActionProperties, CheckedParameters>();

/** The requests of parameters that several targets or messages share. */
const requests = new WeakMap<Parameters, WireRequest>();

/** The names that were left out of parameters. */
const leftOut = new WeakMap<Parameters, readonly string[]>();

/** What parameters that several targets or messages share need of a device. */
const needs = new WeakMap<Parameters, Requirements>();

/** One message on its way: what it asks for, the same for all its targets. */
export class Command {
  /** For example `door/unlock`. */
  readonly operationName: string;
  /** What it asks for; absent when that is no operation of the node. */
  readonly operation: Operation | undefined;
  /** Keeps the message from being sent anywhere. */
  fault: DeviceError | undefined;
  /** The parameter that the fault names first. */
  wrongField: string | undefined;
  /** Checked. */
  parameters: Parameters = {};
  /** What it starts or ends, by its parameters; undefined where that is nothing. */
  subject: DeviceOutput | undefined;
  /** How it is to be delivered. */
  readonly options: DeliveryOptions;

  constructor(
    readonly action: ActionNode,
    private readonly message: ActionMessage,
    /** When it came, of the monotonic clock. */
    readonly since = performance.now(),
  ) {
    const asked = askedFor(action, message);
    const { resource, operations } = action.group;
    this.operation = operations.find((one) => one.id === asked);
    const id =
      this.operation?.id ?? (typeof asked === 'string' ? printable(asked.slice(0, maxIdLength)) : '');
    this.operationName = id === resource ? resource : `${resource}/${id}`;
    this.options = this.operation ? this.#read(this.operation) : noDeliveryOptions;
    if (!this.operation) this.#refuse(notAnOperation(action, asked));
    else if (isFormOfAnother(action)) this.#refuse(localized('formOfAnother'));
  }

  #read(operation: Operation): DeliveryOptions {
    const options = readDeliveryOptions(this.action.properties, this.message.ttl, operation);
    if ('split' in options) return this.action.yields ? { ...options, yields: true } : options;
    this.#refuse(options);
    return noDeliveryOptions;
  }

  /**
   * Reads the parameters from where the node's properties say and checks them. What is wrong with them is the
   * fault from then on.
   * @returns undefined when that is done, else what to wait for
   */
  read(): Promise<void> | undefined {
    const { operation } = this;
    if (!operation || this.fault) return undefined;
    const { RED, node, properties } = this.action;
    const constant = constants.get(properties);
    if (constant) {
      this.parameters = constant.parameters;
      this.subject = constant.subject;
      return undefined;
    }
    try {
      const raw = collectParameters(RED, node, properties, operation, this.message);
      const checking =
        raw instanceof Promise
          ? raw.then((found) => this.#check(operation, found))
          : this.#check(operation, raw);
      return checking?.catch((error) => this.#refuse(saidOf(error)));
    } catch (error) {
      return void this.#refuse(saidOf(error));
    }
  }

  /**
   * The request of these parameters. Those that all targets share make one, however many want it: a file may be
   * large.
   * @throws Failure INVALID_PARAMETER when it cannot be made
   */
  request(operation: RequestTemplate, parameters: Parameters): WireRequest {
    if (parameters !== this.parameters) return buildRequest(operation, parameters);
    const known = requests.get(parameters);
    if (known) return known;
    const request = buildRequest(operation, parameters);
    requests.set(parameters, request);
    return request;
  }

  /** What these parameters need of a device; found once for those that all targets share. */
  needs(operation: Operation, parameters: Parameters): Requirements {
    const known = needs.get(parameters);
    if (known) return known;
    const found = new Requirements(operation, parameters);
    if (parameters === this.parameters) needs.set(parameters, found);
    return found;
  }

  #check(operation: Operation, raw: Parameters): Promise<void> | undefined {
    const checked = checkParameters(operation, raw);
    const more = this.action.hooks.check?.(operation, checked.ok ? checked.parameters : raw) ?? [];
    if (more instanceof Promise) return more.then((found) => this.#conclude(operation, checked, found));
    this.#conclude(operation, checked, more);
    return undefined;
  }

  #conclude(operation: Operation, checked: Checked, more: readonly Text[]): void {
    if (!checked.ok || more.length > 0) {
      const findings = [...(checked.ok ? [] : checked.said), ...firstOf(more)];
      this.#refuse(joinMessages(findings), findings[0]);
      return;
    }
    this.parameters = checked.parameters;
    this.subject = deviceOutputFor(operation, checked.parameters);
    if (checked.leftOut) leftOut.set(checked.parameters, checked.leftOut.map(printable));
    const { autoStop: { field } = {} } = operation;
    if (this.options.endAfterMs !== undefined && field !== undefined && field in this.parameters) {
      this.#refuse(localized('endsTwice', { name: field }));
      return;
    }
    const { action, parameters, subject } = this;
    if (isConstant(action.properties)) constants.set(action.properties, { parameters, subject });
  }

  /** The first names that were left out of its parameters; undefined where there are none. */
  get leftOut(): readonly string[] | undefined {
    return leftOut.get(this.parameters);
  }

  /** Whether nothing is changed by it; a request made by hand says so by its method. */
  get readsOnly(): boolean {
    const { operation, parameters } = this;
    if (operation?.fields.method) return parameters.method === 'GET';
    return operation?.readsOnly === true || operation?.route.startsWith('GET ') === true;
  }

  /** @param finding the first one, where the reason has several */
  #refuse(reason: Text, finding = reason): void {
    const { operationName } = this;
    const parameter = parameterIn(finding);
    const [field = ''] = parameter?.split(/[.[]/, 1) ?? [];
    if (Object.hasOwn(this.operation?.fields ?? {}, field)) this.wrongField = parameter;
    const sentence = localized('nothingSent', {
      reason: localized('ofOperation', { operation: operationName, reason }),
    });
    this.fault = new DeviceError('INVALID_PARAMETER', sentence, { operationName });
  }
}

/** What of an unknown operation's name is repeated. */
const maxIdLength = 40;

/** A node with one operation does not ask which. */
function askedFor({ group, properties }: ActionNode, message: ActionMessage): unknown {
  const [only, second] = group.operations;
  if (only && !second) return only.id;
  return properties.operation === 'msg' ? message.operation : properties.operation;
}

/**
 * What a message of a node asks for; undefined where that is no operation.
 * @param message without it, what every message asks for; undefined where each says it itself
 */
export function operationOf(
  action: ActionNode,
  message: ActionMessage = emptyMessage,
): Operation | undefined {
  const asked = askedFor(action, message);
  return action.group.operations.find((one) => one.id === asked);
}

const emptyMessage: ActionMessage = { _msgid: '' };

function isFormOfAnother({ properties }: ActionNode): boolean {
  return properties.operation === 'msg' && (properties.parametersType || 'form') === 'form';
}

function notAnOperation({ group, properties }: ActionNode, asked: unknown): Text {
  const ids = group.operations.map((one) => one.id).join(', ');
  const place = properties.operation === 'msg' ? 'msg.operation' : 'operation';
  return localized('notAnOperation', { place, ids, got: describe(asked) });
}

function describe(asked: unknown): Text {
  if (asked === undefined || asked === null || asked === '') return localizedPhrase('nothing');
  if (typeof asked === 'string') return printable(asked.slice(0, maxIdLength));
  if (typeof asked === 'object' || typeof asked === 'function') return localizedPhrase('oneObject');
  return localized('theValue', { type: typeof asked, value: printable(String(asked).slice(0, maxIdLength)) });
}
