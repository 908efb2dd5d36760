/**
 * What every action node's `registerType` holds besides category, color and icon. Literal text, because the
 * Flow Library reads it without running it. Each use of the shared script is guarded: a user may disable the
 * plugin that brings it. Validators need exactly two parameters to be allowed to return a text.
 */
export const action = `inputs: 1,
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
      group: { value: "" },
      operation: {
        value: "",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateOperation(this, value) : value !== "";
        }
      },
      parametersType: { value: "form" },
      parameters: { value: "payload" },
      form: {
        value: {},
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateForm(this, value) : true;
        }
      }
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
