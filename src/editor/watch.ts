import { paletteLabel } from './action';
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
    ${paletteLabel},
    label: function () {
      var target = RED.nodes.node(this.target === "group" ? this.group : this.device);
      if (this.name || !target) return this.name || this._("resource");
      return this._("resource") + " · " + RED.utils.getNodeLabel(target, target.id);
    },
    outputLabels: function (index) {
      return this._(index === 0 ? "watch.outputChanges" : "watch.outputConnection");
    },
    oneditprepare: function () {
      if (window.algoForm) window.algoForm.openWatch(this);
    }`;

const watchedDevice = `<algo-row name="name" icon="tag"></algo-row>
  ${renderTarget()}
  ${deviceRow}
  ${groupRow}`;

const watchRows = `<algo-row name="interval" icon="repeat" label="watch.interval" hint="watch.intervalHelp"></algo-row>
  <algo-row name="initial" icon="flag-o" kind="checkbox" label="watch.initial" hint="watch.initialHelp"></algo-row>
  <algo-row name="misses" icon="chain-broken" placeholder="3" label="watch.misses" hint="watch.missesHelp"></algo-row>
  <algo-row name="adaptive" icon="tachometer" kind="checkbox" label="watch.adaptive" hint="watch.adaptiveHelp"></algo-row>`;
