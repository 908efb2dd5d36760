import type { OperationGroup, Option } from '../catalogue/operation';
import { renderDeliveryDefaults } from './delivery';
import { targetDefaults } from './target';

const everyOption = [
  'confirmWrite',
  'reloadAfter',
  'waitUntilBack',
  'skipUnchanged',
] as const satisfies readonly Option[];

export function optionsOf({ operations }: OperationGroup): Option[] {
  return everyOption.filter((option) => operations.some(({ options }) => options?.includes(option)));
}

/**
 * Renders the `{{action}}` of a page: the arguments of `registerType` for an action node, without category,
 * color and icon.
 * The result is literal text, because the Flow Library reads a page without running its scripts.
 * Before each use of the shared script, the page checks that the script exists, because a user can disable
 * the plugin that contains the script.
 * Node-RED lets a validator return a text only if the validator has exactly two parameters.
 * A group with a single operation has no `operation` property.
 */
export function renderAction(group: OperationGroup): string {
  const options = optionsOf(group).map((option) => `,\n      ${option}: { value: false }`);
  return `inputs: 1,
    outputs: 1,
    defaults: {
      name: { value: "" },
      ${targetDefaults},${group.operations.length > 1 ? operation : ''}
      parametersType: { value: "form" },
      parameters: { value: "payload" },
      form: {
        value: {},
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateForm(this, value) : true;
        }
      }${options.join('')}${renderDeliveryDefaults()}
    },
    ${paletteLabel},
    label: function () {
      return window.algoForm ? window.algoForm.label(this) : this.name || this._("resource");
    },
    oneditprepare: function () {
      if (window.algoForm) window.algoForm.open(this);
    },
    oneditsave: function () {
      if (window.algoForm) window.algoForm.save(this);
    }`;
}

/** The name in the palette, and the style of a name that a person gave, as literal text of a page. */
export const paletteLabel = `paletteLabel: function () {
      return this._("resource");
    },
    labelStyle: function () {
      return this.name ? "node_label_italic" : "";
    }`;

const operation = `
      operation: {
        value: "",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateOperation(this, value) : value !== "";
        }
      },`;

/**
 * Returns conditions on `value` for the validators of several pages. The conditions replace
 * `{{isEnvironment}}` and `{{isUnset}}`, and are literal text like the result of `renderAction`.
 */
export function renderChecks(): Readonly<Record<'isEnvironment' | 'isUnset', string>> {
  return { isEnvironment: '/^\\$\\{.+\\}$/.test(value)', isUnset: '/^(\\$\\{.+\\})?$/.test(value ?? "")' };
}
