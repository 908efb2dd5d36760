import type { OperationGroup, Option } from '../catalogue/operation';
import { renderDeliveryDefaults } from './delivery';
import { groupProperty } from './target';

/** The node's options, in the order of the dialog. */
const everyOption = [
  'confirmWrite',
  'reloadAfter',
  'waitUntilBack',
  'skipUnchanged',
] as const satisfies readonly Option[];

/** The options that any operation of a group has. */
export function optionsOf({ operations }: OperationGroup): Option[] {
  return everyOption.filter((option) => operations.some(({ options }) => options?.includes(option)));
}

/**
 * The `{{action}}` of a page: what an action node's `registerType` holds besides category, color and icon.
 * Literal text, because the Flow Library reads it without running it. Each use of the shared script is guarded:
 * a user may disable the plugin that brings it. Validators need exactly two parameters to be allowed to return
 * a text. Where there is but one operation nobody chooses it.
 */
export function renderAction(group: OperationGroup): string {
  const options = optionsOf(group).map((option) => `,\n      ${option}: { value: false }`);
  return `inputs: 1,
    outputs: 1,
    defaults: {
      name: { value: "" },
      target: { value: "device" },
      device: {
        value: "",
        type: "algo-device",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateDevice(this, value) : true;
        }
      },
      ${groupProperty},
      targets: { value: [], type: "algo-device[]" },${group.operations.length > 1 ? operation : ''}
      parametersType: { value: "form" },
      parameters: { value: "payload" },
      form: {
        value: {},
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateForm(this, value) : true;
        }
      }${options.join('')}${renderDeliveryDefaults()}
    },
    paletteLabel: function () {
      return this._("noun");
    },
    label: function () {
      return window.algoForm ? window.algoForm.label(this) : this.name || this._("noun");
    },
    labelStyle: function () {
      return this.name ? "node_label_italic" : "";
    },
    oneditprepare: function () {
      if (window.algoForm) window.algoForm.open(this);
    },
    oneditsave: function () {
      if (window.algoForm) window.algoForm.save(this);
    }`;
}

const operation = `
      operation: {
        value: "",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateOperation(this, value) : value !== "";
        }
      },`;

/**
 * Pieces of the validators that several pages have, as `{{isEnvironment}}` and `{{isUnset}}` of a `value`. Literal text,
 * as in `action.ts`.
 */
export function renderChecks(): Readonly<Record<'isEnvironment' | 'isUnset', string>> {
  const isEnvironment = '/^\\$\\{.+\\}$/.test(value)';
  return { isEnvironment, isUnset: `value === undefined || value === "" || ${isEnvironment}` };
}
