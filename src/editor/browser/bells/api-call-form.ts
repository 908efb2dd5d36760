import type { WebhookAddress } from '../../../runtime/answers';
import type { ExtensibleDialog } from '../form/dialog-extension';
import { definitionOf } from '../operations/definition';
import { button } from '../page/button';
import { everyDevice } from '../targets/known-devices';
import { ask } from '../tools/ask';
import { type CalledWebhook, entryFor, headerFor } from '../tools/webhook-entry';
import { askDevice, chosenDevice } from './ask-device';
import type { GivenBell } from './cells';
import { readRow, writeRow } from './row-value';

/** Maximum number of entries in the `api_call` of an event. */
const maxCalls = 5;

const others = ['algo-request', 'algo-scheduler', 'algo-files'];

/** Prefix of the value of an option that stands for a webhook; the id of the webhook's node follows. */
const ofWebhook = 'webhook:';

export class CallForm {
  readonly element = $('<details class="algo-fold algo-calls">');
  private readonly event = $('<select>');
  private readonly device = $('<select>');
  private readonly operation = $('<select>');
  private readonly parameters = $('<input type="text" spellcheck="false" autocomplete="off">').val('{}');
  private readonly password = $('<input type="password" autocomplete="new-password">');
  private readonly passwordRow: JQuery;
  private readonly operationRow: JQuery;
  private readonly passwordHint = $('<div class="algo-hint">');
  private readonly status = $('<div class="algo-hint" role="status">');
  private isAsking = false;

  constructor(
    private readonly dialog: ExtensibleDialog,
    private readonly id: string,
  ) {
    const { translate } = dialog;
    this.passwordRow = this.row('password', this.password);
    this.passwordRow.append(this.passwordHint);
    this.operationRow = this.row('operation', this.operation);
    this.element.append(
      $('<summary>').text(translate('calls.title')),
      $('<div class="algo-hint">').text(translate('calls.help')),
      this.row('event', this.event),
      this.row('device', this.device),
      this.operationRow,
      this.row('parameters', this.parameters),
      this.passwordRow,
      $('<div class="algo-buttons">').append(button(translate('calls.add'), () => this.add(), 'plus')),
      this.status,
    );
    this.device.on('change', () => this.showRows());
    this.element.on('toggle', () => {
      if (this.element.prop('open')) this.fill();
    });
  }

  private row(name: string, input: JQuery): JQuery {
    const id = `${this.id}-${name}`;
    const label = $('<label>')
      .attr('for', id)
      .text(this.dialog.translate(`calls.${name}`));
    return $('<div class="form-row">').append(label, ' ', input.attr('id', id));
  }

  private fill(): void {
    const { translate } = this.dialog;
    this.offerEvents(this.event.val());
    const choose = () => $('<option value="">').text(translate('form.choose'));
    const devices = everyDevice().map(({ id, name }) => $('<option>').val(id).text(name));
    this.device.empty().append(choose(), devices, ...this.webhookOptions());
    this.operation.empty().append(choose(), operationGroups());
    this.showRows();
  }

  private webhookOptions(): JQuery[] {
    const options: JQuery[] = [];
    RED.nodes.eachNode((node) => {
      if (node.type !== 'algo-webhook' || node.d === true) return;
      const label = RED.utils.getNodeLabel(node, node.id);
      options.push($('<option>').val(`${ofWebhook}${node.id}`).text(label));
    });
    if (options.length === 0) return [];
    return [$('<optgroup>').attr('label', this.dialog.translate('calls.webhooks')).append(options)];
  }

  private showRows(): void {
    const webhook = this.webhook();
    this.operationRow.toggle(webhook === undefined);
    const auth = this.authentication();
    this.passwordRow.toggle(auth === 'basic' || auth === 'token');
    this.passwordHint.text(this.dialog.translate(webhook ? 'calls.webhookHelp' : 'calls.passwordHelp'));
  }

  private webhook(): CalledWebhook | undefined {
    const value = String(this.device.val() ?? '');
    if (!value.startsWith(ofWebhook)) return undefined;
    const node = RED.nodes.node(value.slice(ofWebhook.length));
    return node
      ? { id: node.id, path: String(node.path ?? ''), auth: String(node.auth || 'standard') }
      : undefined;
  }

  private offerEvents(chosen: unknown): void {
    const { translate } = this.dialog;
    const options = (this.events() ?? []).flatMap((event, place) => {
      if (event.event_type !== 'api_call') return [];
      const name = String(event.name ?? translate('calls.number', { number: String(place + 1) }));
      return $('<option>').val(String(place)).text(name);
    });
    this.event.empty().append($('<option value="">').text(translate('calls.new')), options);
    this.event.val(String(chosen ?? ''));
    if (this.event.val() === null) this.event.val('');
  }

  /**
   * Returns the events in the form; empty if the row is empty. Undefined if the dialog does not know the
   * value, or if the value is not a list of objects.
   */
  private events(): GivenBell[] | undefined {
    const row = this.dialog.row('events');
    const written = row && readRow(row);
    if (written?.kind === 'nothing') return [];
    const list = written?.kind === 'value' ? written.value : undefined;
    const isList = Array.isArray(list) && list.every((one) => Object(one) === one && !Array.isArray(one));
    return isList ? (list as GivenBell[]) : undefined;
  }

  private authentication(): unknown {
    const webhook = this.webhook();
    if (webhook) return webhook.auth;
    const node = RED.nodes.node(this.device.val());
    return node?.auth || 'standard';
  }

  private header(): { readonly header?: string; readonly wrong?: string } {
    const auth = String(this.authentication());
    if (!['standard', 'none', 'basic', 'token'].includes(auth)) return { wrong: 'calls.auth' };
    const secret = String(this.password.val());
    if ((auth === 'basic' || auth === 'token') && secret === '') return { wrong: 'calls.noPassword' };
    return { header: headerFor(auth, secret) };
  }

  private async add(): Promise<void> {
    if (this.isAsking) return;
    const { translate } = this.dialog;
    const device = String(this.device.val() ?? '');
    const webhook = this.webhook();
    const operation = String(this.operation.val() ?? '');
    const parameters = parsed(String(this.parameters.val()));
    const { header, wrong } = this.header();
    const events = this.events();
    const place = this.event.val() === '' ? undefined : Number(this.event.val());
    const calls = place === undefined ? [] : callsOf(events?.[place]);
    if (!events) return this.report(translate('bells.elsewhere'));
    if (device === '' || (operation === '' && !webhook)) return this.report(translate('calls.choose'));
    if (parameters === undefined) return this.report(translate('calls.json'));
    if (header === undefined) return this.report(translate(wrong ?? 'calls.auth'));
    if (calls.length >= maxCalls) return this.report(translate('calls.five'));
    const asked = { operation: 'call', parameters: { operation, parameters } };
    this.isAsking = true;
    this.report(translate('bells.asking'));
    const { answer, error } = webhook
      ? await this.askWebhook(webhook, parameters)
      : await askDevice(device, 'look', asked, translate);
    this.isAsking = false;
    if (error !== undefined) return this.report(translate('plan.wrong', { error }));
    const entry = { ...(answer as GivenBell), header };
    // Reads the events again, since the user might have edited the form in the meantime.
    const now = this.events();
    if (!now) return this.report(translate('bells.elsewhere'));
    const rest = place === undefined ? [] : callsOf(now[place]);
    if (rest.length >= maxCalls) return this.report(translate('calls.five'));
    this.put(now, place, [...rest, entry]);
    this.password.val('');
    this.report(translate('calls.added', { name: String((answer as GivenBell).name) }));
  }

  private async askWebhook(
    webhook: CalledWebhook,
    parameters: unknown,
  ): Promise<{ readonly answer?: object; readonly error?: string }> {
    try {
      const targets = [chosenDevice()].filter((id) => id !== undefined);
      const address = await ask<WebhookAddress>('algo/webhook/address', { targets });
      const { method, target, path } = entryFor(webhook, address);
      const name = this.device.find(':selected').text();
      return { answer: { name, method, target, path, payload: JSON.stringify(parameters) } };
    } catch (refused) {
      return { error: (refused as Error).message };
    }
  }

  private put(events: readonly GivenBell[], place: number | undefined, calls: readonly unknown[]): void {
    const row = this.dialog.row('events');
    if (!row) return;
    const at = place ?? events.length;
    const begun = { event_type: 'api_call', name: this.dialog.translate('calls.newName'), rrule: '' };
    const list = [...events];
    list[at] = { ...(events[at] ?? begun), api_call: calls };
    writeRow(row, list);
    this.offerEvents(at);
  }

  private report(words: string): void {
    this.status.text(words);
  }
}

function operationGroups(): JQuery[] {
  const templates = [...document.querySelectorAll<HTMLElement>('script[data-template-name^="algo-"]')];
  return templates.flatMap(({ dataset: { templateName: type = '' } }) => {
    const translate = RED.nodes.getType(type)?._;
    const ids = others.includes(type) ? [] : Object.keys(definitionOf(type));
    if (!translate || ids.length === 0) return [];
    const resource = type.replace('algo-', '');
    const options = ids.map((id) =>
      $('<option>')
        .val(`${resource}/${id}`)
        .text(translate(`operation.${id}.title`)),
    );
    return $('<optgroup>').attr('label', translate('resource')).append(options);
  });
}

function callsOf(event: GivenBell | undefined): readonly unknown[] {
  return Array.isArray(event?.api_call) ? event.api_call : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text) as unknown;
  } catch {
    return undefined;
  }
}
