import type { Node, NodeAPI } from 'node-red';
import { alertActions, drillTexts } from '../../catalogue/alert-actions';
import { localized } from '../../catalogue/localized-message';
import type { Operation } from '../../catalogue/operation';
import { nothingSent } from '../../catalogue/sentence';
import { DeviceError } from '../../client/errors';
import type { Json } from '../../kernel/journal/lines';
import type { Device } from '../device/device';
import { findTargets, type Targets } from '../device/targets';
import { type ActionMessage, type ActionNode, type ActionProperties, Command } from '../message/command';
import { Delivery } from '../message/delivery';
import { kindOf, madeUp } from '../message/kinds';
import { type Receipt, receiptOf } from '../message/receipt';
import { deliver } from '../message/steps';
import { stopCommandFor } from '../message/stop-command';
import type { Alert, AlertAction, DeviceAction, Named, StartRequest } from './alert';
import { type AlertProperties, readDrillText, type StoredAction } from './properties';
import type { ActionReceipt } from './reports';
import { type AlertIdentity, limiterFor, marked, reportedOf } from './send';

/** One action at one target. */
export class StartPart {
  /** Undefined before `AlertStart.read`, and for an action that cannot be sent. */
  deviceAction: DeviceAction | undefined;

  /**
   * @param index position of the action in the alert
   * @param device undefined if the target was not found
   */
  constructor(
    readonly alert: AlertIdentity,
    readonly delivery: Delivery,
    readonly index: number,
    readonly device: Named | undefined,
  ) {}

  async send(): Promise<Receipt> {
    return marked(await deliver(this.delivery), this.alert);
  }

  /**
   * Ends the action without a request, because an alert holds the action back.
   * @param by the alert that holds the action back
   */
  hold(by: Alert): Receipt {
    const { delivery, alert } = this;
    delivery.withdraw();
    const reason =
      by.id === alert.id ? 'onInEarnest' : alert.drill && !by.drill ? 'earnestFirst' : 'higherPriority';
    const receipt = receiptOf({
      ...delivery.addressee,
      operationName: delivery.operationName,
      latencyMs: 0,
      outcome: 'skipped',
      answer: undefined,
      notes: [localized(reason, { alert: by.name || by.id })],
      error: undefined,
      by: delivery.command.by,
    });
    return marked(receipt, alert);
  }

  /**
   * Whether a start was aborted that is a job of a centre. Another Node-RED of the site might carry out the job, so
   * the start is not retried here.
   */
  isLeftToOthers({ error }: Receipt): boolean {
    return this.delivery.abort.admission !== undefined && error?.code === 'ABORTED';
  }

  /** Returns a receipt as the report needs it. */
  reported(receipt: Receipt): ActionReceipt {
    const { device: name } = receipt;
    const target = this.device ?? { id: this.delivery.target.asked ?? '', name };
    return { ...reportedOf(receipt), target, index: this.index };
  }
}

export function actionsOf(RED: NodeAPI, node: Node, actions: readonly StoredAction[]): readonly ActionNode[] {
  return actions.map(({ operation, form }) => {
    const kind = kindOf(operation);
    if (!kind)
      throw new DeviceError('NOT_CONFIGURED', nothingSent(localized('nodeNotLoaded')), {
        operationName: operation,
      });
    const properties: ActionProperties = { parametersType: 'form', form, duringAlert: true };
    const { id, name = '', type } = node;
    return {
      ...madeUp(kind, { id, name, type }, operation, properties),
      RED,
      node,
    };
  });
}

/** A start in progress: all actions at all targets, sorted by targets and then by actions. */
export class AlertStart {
  readonly targets: Targets;
  readonly parts: StartPart[] = [];
  readonly #commands: readonly Command[];

  constructor(
    actions: readonly ActionNode[],
    private readonly properties: AlertProperties,
    message: ActionMessage,
    private readonly alert: AlertIdentity,
    private readonly admission?: ActionNode['admission'],
  ) {
    this.targets = findTargets(properties, message);
    const isUrgent = !alert.drill;
    this.#commands = actions.map(
      (action) => new Command({ ...action, isUrgent, stopsForOlder: true }, message),
    );
  }

  /**
   * Makes the deliveries, which take their queue entries. All are made in one turn: if other messages came between, the
   * device outputs would get them in another order than the alerts.
   */
  take(): void {
    const { list, maxParallel } = this.targets;
    const limiters = this.#commands.map(() => limiterFor(list, [maxParallel]));
    for (const target of list) {
      const device = target.device && namedOf(target.device);
      for (const [index, command] of this.#commands.entries()) {
        const delivery = new Delivery(command, target, limiters[index], true);
        delivery.abort.admission = this.admission;
        this.parts.push(new StartPart(this.alert, delivery, index, device));
      }
    }
  }

  /** Never rejects: the receipts report the errors. */
  async read(): Promise<void> {
    await Promise.all(this.#commands.map((command) => command.read()));
    const actions = this.#commands.map((command) => this.#actionOf(command));
    for (const part of this.parts) {
      const { device, index, delivery } = part;
      const found = actions[index];
      if (!device || !found) continue;
      const isDryRun = delivery.target.device?.dryRun || delivery.target.dryRun === true;
      part.deviceAction = { device, ...found, index, ...(isDryRun && { dryRun: true }) };
    }
  }

  get reach(): Pick<StartRequest, 'targets' | 'maxParallel'> {
    const { list, maxParallel } = this.targets;
    return { targets: list.map(({ device, asked }) => (device ? device.id : asked)), maxParallel };
  }

  #actionOf(command: Command): Pick<DeviceAction, 'deviceOutput' | 'action'> | undefined {
    const { operation, fault } = command;
    if (!operation || fault) return undefined;
    if (this.alert.drill) command.parameters = asDrill(command.parameters, readDrillText(this.properties));
    const deviceOutput = command.deviceOutput?.name;
    return deviceOutput === undefined
      ? undefined
      : { deviceOutput, action: actionOf(command.operationName, operation, command.parameters) };
  }
}

function namedOf({
  id,
  name,
  where,
  ownPassword,
}: Pick<Device, 'id' | 'name' | 'where' | 'ownPassword'>): Named {
  return { id, name, ...(where !== undefined && { where }), ...(ownPassword && { ownPassword }) };
}

function actionOf(
  name: string,
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): AlertAction {
  const { lastsWith, notAgain } = alertActions.find((action) => action.operation === name) ?? {};
  const lasts = lastsWith === undefined || parameters[lastsWith] === true;
  const end = lasts ? stopCommandFor(operation, parameters) : undefined;
  const seconds = Number(parameters[operation.autoStop?.field ?? '']) || 0;
  return {
    operation: name,
    parameters: parameters as Record<string, Json>,
    repeatable: operation.repeatable,
    ...(lastsWith !== undefined && lasts && { steady: true }),
    ...(end && { end }),
    ...(end && notAgain !== 'never' && { retry: notAgain ? 'all' : 'always' }),
    ...(seconds > 0 && { lastsMs: seconds * 1_000 }),
  };
}

function asDrill(
  parameters: Readonly<Record<string, unknown>>,
  drillText: string,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(parameters).map(([name, value]) =>
    drillTexts.includes(name) && typeof value === 'string' ? [name, `${drillText} ${value}`] : [name, value],
  );
  return Object.fromEntries(entries);
}
