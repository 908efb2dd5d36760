import { alertActions } from '../catalogue/alert-actions';
import type { Operation, OperationGroup } from '../catalogue/operation';
import { operation } from '../catalogue/operation-name';
import { dataAttribute } from './html';

/** Default limits of an operation, in seconds. A `ttl` of 0 means no expiry, a `retryFor` of 0 no retry. */
export interface DeliveryDefaults {
  readonly ttl: number;
  readonly retryFor: number;
}

type AutoStop = NonNullable<Operation['autoStop']>;

interface DeliveryData extends DeliveryDefaults {
  readonly end?: Pick<AutoStop, 'by' | 'field'>;
  /** Whether a real alert holds the operation back. */
  readonly held?: true;
}

/** Properties in the "Delivery" section of an action node's dialog, in the order of the rows. */
export const deliveryProperties = [
  'split',
  'ttl',
  'retryFor',
  'endAfter',
  'rolling',
  'maxFailures',
  'duringAlert',
] as const;

export type DeliveryProperty = (typeof deliveryProperties)[number];

export function isFlag(property: DeliveryProperty): boolean {
  return property === 'split' || property === 'duringAlert';
}

/** Returns the limits that apply if neither the node nor the message sets them (docs/contract.md 2.5). */
export function deliveryDefaultsOf({ deviceOutput, urgent, isStop }: Operation): DeliveryDefaults {
  const isStart = deviceOutput !== undefined && isStop !== true;
  const mustArrive = urgent || isStop === true;
  return { ttl: isStart ? 60 : 0, retryFor: mustArrive ? 10 : 0 };
}

/** Whether the operations of a node make a row of the "Delivery" section useful. */
export function isUseful(property: DeliveryProperty, { operations }: OperationGroup): boolean {
  if (property === 'endAfter') return operations.some(({ autoStop }) => autoStop !== undefined);
  return property !== 'duringAlert' || operations.some(isHeldBack);
}

const ofAlerts = new Set(alertActions.map((action) => operation(action.operation).deviceOutput?.name));

/** Whether a real alert that uses the device or its output holds an operation back (docs/contract.md 2.6). */
function isHeldBack({ deviceOutput, isStop, options = [] }: Operation): boolean {
  if (isStop) return false;
  if (deviceOutput) return ofAlerts.has(deviceOutput.name);
  return options.includes('waitUntilBack') || options.includes('reloadAfter');
}

/**
 * Renders the properties of the "Delivery" section for the `defaults` of an action node. The result is
 * literal text, as in `action.ts`.
 */
export function renderDeliveryDefaults(): string {
  const checked = ['ttl', 'retryFor', 'endAfter'].map(
    (name) => `,
      ${name}: {
        value: "",
        validate: function (value, options) { return !window.algoForm || window.algoForm.validateDelivery(this, "${name}", value); }
      }`,
  );
  const unchecked = ['rolling', 'maxFailures'].map((name) => `,\n      ${name}: { value: "" }`).join('');
  return `,\n      split: { value: false }${checked.join('')}${unchecked},\n      duringAlert: { value: false }`;
}

/**
 * Renders an action node's "Delivery" section without rows, with the defaults of the operations as data. The
 * rows are the same for all nodes, so only the plugin's page contains the rows (`renderDeliveryRows`).
 */
export function renderDelivery({ operations }: OperationGroup): string {
  const entries = operations.map((operation): [string, DeliveryData] => {
    const { id, autoStop } = operation;
    const isByField = autoStop?.field === undefined ? {} : { field: autoStop.field };
    return [
      id,
      {
        ...deliveryDefaultsOf(operation),
        ...(autoStop && { end: { by: autoStop.by, ...isByField } }),
        ...(isHeldBack(operation) && { held: true }),
      },
    ];
  });
  const data = dataAttribute('delivery', Object.fromEntries(entries));
  return `  <details class="algo-fold algo-delivery"${data} hidden><summary data-i18n="delivery.title"></summary></details>`;
}

export function renderDeliveryRows(): string {
  const rows = deliveryProperties.map(
    (name) => `  <div class="form-row" data-row="${name}">
    <label for="algo-delivery-${name}"><i class="fa fa-${icons[name]}" aria-hidden="true"></i> <span data-words="delivery.${name}"></span></label>
    <input type="${isFlag(name) ? 'checkbox' : 'text'}" id="algo-delivery-${name}" aria-describedby="algo-delivery-${name}-error ${name === 'endAfter' ? 'algo-delivery-endAfter-time ' : ''}algo-delivery-${name}-hint">
    <div class="algo-error" id="algo-delivery-${name}-error" role="status"></div>${name === 'endAfter' ? longEndRow : ''}
    <div class="algo-hint" id="algo-delivery-${name}-hint" data-words="delivery.${name}Help"></div>
  </div>`,
  );
  return `<script type="text/html" id="algo-delivery-rows">\n${rows.join('\n')}\n</script>`;
}

const longEndRow = '\n    <div class="algo-warning" id="algo-delivery-endAfter-time" role="status"></div>';

const icons = {
  split: 'share-alt',
  ttl: 'hourglass-end',
  retryFor: 'repeat',
  endAfter: 'stop-circle-o',
  rolling: 'ellipsis-h',
  maxFailures: 'hand-paper-o',
  duringAlert: 'bell',
} as const;
