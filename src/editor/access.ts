/**
 * Returns the parts that the pages of a device and of a group share, such as the authentication. The key of a
 * part is the placeholder that the part replaces. The parts are literal text, since the Flow Library reads a
 * page without running its scripts.
 */
export function renderAccess(): Readonly<Record<string, string>> {
  return { accessDefaults, accessAuth, accessCertificate, accessLimits, accessDelivery, accessDecide };
}

const accessDefaults = `auth: { value: "standard" },
      certificate: { value: "verify" },
      tls: { value: "", type: "tls-config", required: false },
      timeout: {
        value: 10,
        validate: function (value, options) {
          return value === undefined || value === "" || (Number(value) > 0 && Number(value) <= 3600) || this._def._("invalid.timeout");
        }
      },
      letDeviceDecide: { value: false },
      queueLimit: {
        value: "",
        validate: function (value, options) {
          return value === undefined || value === "" || /^[1-9]\\d{0,6}$/.test(value) || this._def._("invalid.queueLimit");
        }
      },
      dryRun: { value: false }`;

const accessAuth = `<div class="form-row algo-real">
    <label for="node-config-input-auth"><i class="fa fa-key" aria-hidden="true"></i> <span data-i18n="label.auth"></span></label>
    <select id="node-config-input-auth">
      <option value="standard" data-i18n="auth.standard"></option>
      <option value="basic" data-i18n="auth.basic"></option>
      <option value="none" data-i18n="auth.none"></option>
    </select>
  </div>
  <div class="form-row algo-secret">
    <label for="node-config-input-password"><i class="fa fa-lock" aria-hidden="true"></i> <span data-i18n="label.password"></span></label>
    <input type="password" id="node-config-input-password" aria-describedby="algo-access-password">
    <div class="algo-error algo-password-error" role="status"></div>
    <div class="algo-hint" id="algo-access-password" data-i18n="help.password"></div>
  </div>`;

const accessCertificate = `<div class="form-row algo-real algo-tls">
    <label for="node-config-input-certificate"><i class="fa fa-certificate" aria-hidden="true"></i> <span data-i18n="label.certificate"></span></label>
    <select id="node-config-input-certificate" aria-describedby="algo-access-certificate">
      <option value="verify" data-i18n="certificate.verify"></option>
      <option value="pin" data-i18n="certificate.pin"></option>
      <option value="any" data-i18n="certificate.any"></option>
    </select>
    <div id="algo-access-certificate">
      <div class="algo-hint algo-tip" data-for="verify" data-i18n="help.verify"></div>
      <div class="algo-hint algo-tip" data-for="pin" data-i18n="help.pin"></div>
      <div class="algo-hint algo-tip" data-for="any" data-i18n="help.any"></div>
    </div>
  </div>`;

const accessLimits = `<div class="form-row algo-real algo-tls">
    <label for="node-config-input-tls"><i class="fa fa-shield" aria-hidden="true"></i> <span data-i18n="label.tls"></span></label>
    <input type="text" id="node-config-input-tls" style="width: calc(100% - 150px)" aria-describedby="algo-access-tls">
    <div class="algo-hint" id="algo-access-tls" data-i18n="help.tls"></div>
  </div>
  ${row('timeout', 'clock-o', 'type="text" placeholder="10"')}`;

const accessDecide = row('letDeviceDecide', 'unlock-alt', 'type="checkbox" style="width: auto"');

const accessDelivery = [
  row('queueLimit', 'list-ol', 'type="text" placeholder="1000"'),
  row('dryRun', 'eye', 'type="checkbox" style="width: auto"'),
].join('\n  ');

function row(property: string, icon: string, input: string): string {
  return `<div class="form-row">
    <label for="node-config-input-${property}"><i class="fa fa-${icon}" aria-hidden="true"></i> <span data-i18n="label.${property}"></span></label>
    <input ${input} id="node-config-input-${property}" aria-describedby="algo-access-${property}">
    <div class="algo-hint" id="algo-access-${property}" data-i18n="help.${property}"></div>
  </div>`;
}
