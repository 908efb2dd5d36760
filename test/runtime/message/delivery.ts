import type { NodeAPI } from 'node-red';
import type { Operation, OperationGroup, Option } from '../../../src/catalogue/operation';
import type { Device } from '../../../src/runtime/device/device';
import { type ActionNode, Command } from '../../../src/runtime/message/command';
import { Delivery } from '../../../src/runtime/message/delivery';
import type { ActionHooks, DeliveryContext } from '../../../src/runtime/message/hooks';

/** What a test asks of one device, as a node would whose parameters come with the message. */
export interface Wanted {
  readonly device: Device;
  /** A resource; without it the operation's node has no other. */
  readonly resource?: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options?: readonly Option[];
  readonly hooks?: ActionHooks;
  progress?(text: string): void;
}

/** A message on its way, its parameters read and checked. */
export function deliveryOf(wanted: Wanted): Delivery & DeliveryContext {
  const { device, resource = 'resource', operation, options = [], hooks = {}, progress = () => {} } = wanted;
  const group: OperationGroup = { resource: resource, operations: [operation] };
  const properties = {
    parametersType: 'msg',
    ...Object.fromEntries(options.map((option) => [option, true])),
  };
  const util = {
    evaluateNodeProperty: (...call: unknown[]) => {
      const [answer] = call.slice(-1) as [(error: null, value: unknown) => void];
      answer(null, wanted.parameters);
    },
  };
  const node = { id: 'node', type: `algo-${resource}` } as ActionNode['node'];
  const action = { RED: { util } as unknown as NodeAPI, node, group, properties, hooks, progress };
  const dispatch = new Command(action as ActionNode, {});
  const delivery = new Delivery(dispatch, { device });
  dispatch.read();
  return delivery as Delivery & DeliveryContext;
}
