/** Properties of a node with a device or a group as its target, as literal text for `defaults`. */
export const deviceOrGroupDefaults = `target: { value: "device" },
      device: {
        value: "",
        type: "algo-device",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateDevice(this, value) : true;
        }
      },
      group: {
        value: "",
        type: "algo-group",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateGroup(this, value) : true;
        }
      }`;

/** Like `deviceOrGroupDefaults`, for a node that can also have several targets. */
export const targetDefaults = `${deviceOrGroupDefaults},
      targets: { value: [], type: "algo-device[]" }`;

/**
 * Renders the select for the kind of target: a device, a group or a message.
 * @param message locale key of the option "set by msg.device"; omitted if a message cannot name the target
 */
export function renderTarget(message?: string): string {
  const byMessage = `
      <option value="msg" data-i18n="${message}"></option>`;
  const help = `
    <div class="algo-hint" id="algo-target" data-target="msg" hidden data-i18n="form.targetHelp"></div>`;
  return `<div class="form-row">
    <label for="node-input-target"><i class="fa fa-bullseye" aria-hidden="true"></i> <span data-i18n="${message ? 'form.target' : 'watch.target'}"></span></label>
    <select id="node-input-target"${message ? ' aria-describedby="algo-target"' : ''}>
      <option value="device" data-i18n="form.targetDevice"></option>
      <option value="group" data-i18n="form.targetGroup"></option>${message ? byMessage : ''}
    </select>${message ? help : ''}
  </div>`;
}

export const deviceRow = '<algo-row name="device" icon="cube" kind="node" target="device"></algo-row>';
export const groupRow = '<algo-row name="group" icon="cubes" kind="node" target="group"></algo-row>';
