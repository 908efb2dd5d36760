import { deviceOrGroupDefaults, deviceRow, groupRow, renderTarget } from './target';

/**
 * Returns the parts that the pages of the watching nodes share. The key of a part is the placeholder that the
 * part replaces. The parts are literal text, since the Flow Library reads a page without running its scripts.
 */
export function renderWatch(): Readonly<Record<string, string>> {
  return { watch, watchDefaults, watchedDevice, watchRows };
}

const watchDefaults = `name: { value: "" },
      ${deviceOrGroupDefaults},
      initial: { value: false },
      misses: {
        value: 3,
        validate: function (value, options) {
          return value === undefined || value === "" || /^([1-9]\\d{0,2}|1000)$/.test(value) || this._def._("watch.invalid.misses");
        }
      },
      adaptive: { value: false }`;

const watch = `inputs: 1,
    outputs: 2,
    paletteLabel: function () {
      return this._("resource");
    },
    label: function () {
      var target = RED.nodes.node(this.target === "group" ? this.group : this.device);
      if (this.name || !target) return this.name || this._("resource");
      return this._("resource") + " · " + RED.utils.getNodeLabel(target, target.id);
    },
    labelStyle: function () {
      return this.name ? "node_label_italic" : "";
    },
    outputLabels: function (index) {
      return this._(index === 0 ? "watch.outputChanges" : "watch.outputConnection");
    },
    oneditprepare: function () {
      if (window.algoForm) window.algoForm.openWatch(this);
    }`;

const watchedDevice = `<div class="form-row">
    <label for="node-input-name"><i class="fa fa-tag" aria-hidden="true"></i> <span data-i18n="form.name"></span></label>
    <input type="text" id="node-input-name" data-i18n="[placeholder]form.name">
  </div>
  ${renderTarget()}
  ${deviceRow}
  ${groupRow}`;

const watchRows = [
  row('interval', 'repeat', 'type="text"'),
  row('initial', 'flag-o', 'type="checkbox" style="width: auto"'),
  row('misses', 'chain-broken', 'type="text" placeholder="3"'),
  row('adaptive', 'tachometer', 'type="checkbox" style="width: auto"'),
].join('\n  ');

function row(property: string, icon: string, input: string): string {
  return `<div class="form-row">
    <label for="node-input-${property}"><i class="fa fa-${icon}" aria-hidden="true"></i> <span data-i18n="watch.${property}"></span></label>
    <input ${input} id="node-input-${property}" aria-describedby="algo-watch-${property}">
    <div class="algo-hint" id="algo-watch-${property}" data-i18n="watch.${property}Help"></div>
  </div>`;
}
