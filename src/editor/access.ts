/**
 * Returns the parts that the pages of a device and of a group share, such as the authentication. The key of a
 * part is the placeholder that the part replaces. The parts are literal text, since the Flow Library reads a
 * page without running its scripts.
 */
export function renderAccess(): Readonly<Record<string, string>> {
  return { accessDefaults, accessAuth, accessCertificate, accessLimits, accessDelivery, accessDecide };
}

const accessDefaults = `auth: {
        value: "standard",
        validate: function (value, options) {
          return window.algoForm ? window.algoForm.validateAuth(this, value) : true;
        }
      },
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

const accessAuth = `<algo-row name="auth" icon="key" options="standard basic none" class="algo-real"></algo-row>
  <algo-row name="password" icon="lock" kind="password" class="algo-secret">
    <div class="algo-error algo-password-error" role="status"></div>
  </algo-row>`;

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

const accessLimits = `<algo-row name="tls" icon="shield" kind="node" class="algo-real algo-tls"></algo-row>
  <algo-row name="timeout" icon="clock-o" placeholder="10"></algo-row>`;

const accessDecide = '<algo-row name="letDeviceDecide" icon="unlock-alt" kind="checkbox"></algo-row>';

const accessDelivery = `<algo-row name="queueLimit" icon="list-ol" placeholder="1000"></algo-row>
  <algo-row name="dryRun" icon="eye" kind="checkbox"></algo-row>`;
