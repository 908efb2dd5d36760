import type { ExtensibleDialog } from '../form/dialog-extension';
import { definitionOf } from '../operations/definition';
import { everyDevice } from '../targets/known-devices';
import { askDevice } from './ask-device';
import { button } from './buttons';
import type { GivenBell } from './cells';
import { write, writtenIn } from './written';

/** Maximum number of entries in the `api_call` of an event. */
const maxCalls = 5;

const userName = 'admin';

/**
 * Nodes that are not offered: their operations are no JSON requests, or are requests to the scheduler itself.
 */
const others = ['algo-request', 'algo-scheduler', 'algo-files'];

/**
 * A form that adds an entry to the `api_call` of an event. An entry names another device, and the operation
 * that the scheduler sends to this device.
 */
export class Calls {
  readonly element = $('<details class="algo-fold algo-calls">');
  private readonly event = $('<select>');
  private readonly device = $('<select>');
  private readonly operation = $('<select>');
  private readonly parameters = $('<input type="text" spellcheck="false" autocomplete="off">').val('{}');
  private readonly password = $('<input type="password" autocomplete="new-password">');
  private readonly passwordRow: JQuery;
  private readonly said = $('<div class="algo-hint" role="status">');
  private isAsking = false;

  constructor(
    private readonly dialog: ExtensibleDialog,
    private readonly id: string,
  ) {
    const { translate } = dialog;
    this.passwordRow = this.row('password', this.password);
    this.passwordRow.append($('<div class="algo-hint">').text(translate('calls.passwordHelp')));
    this.element.append(
      $('<summary>').text(translate('calls.title')),
      $('<div class="algo-hint">').text(translate('calls.help')),
      this.row('event', this.event),
      this.row('device', this.device),
      this.row('operation', this.operation),
      this.row('parameters', this.parameters),
      this.passwordRow,
      $('<div class="algo-buttons">').append(button(translate('calls.add'), () => this.add(), 'plus')),
      this.said,
    );
    this.device.on('change', () => this.passwordRow.toggle(this.authentication() === 'basic'));
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

  /** Fills the selects with the current events, devices and operations. */
  private fill(): void {
    const { translate } = this.dialog;
    this.offerEvents(this.event.val());
    const choose = () => $('<option value="">').text(translate('form.choose'));
    const devices = everyDevice().map(({ id, name }) => $('<option>').val(id).text(name));
    this.device.empty().append(choose(), devices);
    this.operation.empty().append(choose(), operationGroups());
    this.passwordRow.hide();
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
   * Returns the events in the form; undefined if the form has no list of events, or if a message sets the
   * events.
   */
  private events(): GivenBell[] | undefined {
    const row = this.dialog.row('events');
    const written = row && writtenIn(row);
    if (written?.kind === 'nothing') return [];
    const list = written?.kind === 'value' ? written.value : undefined;
    const isList = Array.isArray(list) && list.every((one) => Object(one) === one && !Array.isArray(one));
    return isList ? (list as GivenBell[]) : undefined;
  }

  private authentication(): unknown {
    const node = RED.nodes.node(this.device.val());
    return node?.auth || 'standard';
  }

  /**
   * Returns the HTTP header by which the scheduler authenticates at the other device. Returns a finding in
   * `wrong` if the header cannot be determined.
   */
  private header(): { readonly header?: string; readonly wrong?: string } {
    const json = 'Content-Type: application/json';
    const auth = this.authentication();
    if (auth === 'standard') return { header: '%DEVICE_HEADERS%' };
    if (auth === 'none') return { header: json };
    if (auth !== 'basic') return { wrong: 'calls.auth' };
    const password = String(this.password.val());
    if (password === '') return { wrong: 'calls.noPassword' };
    const bytes = new TextEncoder().encode(`${userName}:${password}`);
    return { header: `Authorization: Basic ${btoa(String.fromCharCode(...bytes))}\r\n${json}` };
  }

  private async add(): Promise<void> {
    if (this.isAsking) return;
    const { translate } = this.dialog;
    const device = String(this.device.val() ?? '');
    const operation = String(this.operation.val() ?? '');
    const parameters = parsed(String(this.parameters.val()));
    const { header, wrong } = this.header();
    const events = this.events();
    const place = this.event.val() === '' ? undefined : Number(this.event.val());
    const calls = place === undefined ? [] : callsOf(events?.[place]);
    if (!events) return this.say(translate('bells.elsewhere'));
    if (device === '' || operation === '') return this.say(translate('calls.choose'));
    if (parameters === undefined) return this.say(translate('calls.json'));
    if (header === undefined) return this.say(translate(wrong ?? 'calls.auth'));
    if (calls.length >= maxCalls) return this.say(translate('calls.five'));
    const asked = { operation: 'call', parameters: { operation, parameters } };
    this.isAsking = true;
    this.say(translate('bells.asking'));
    const { answer, error } = await askDevice(device, 'look', asked, translate);
    this.isAsking = false;
    if (error !== undefined) return this.say(translate('plan.wrong', { error }));
    const entry = { ...(answer as GivenBell), header };
    // Reads the events again, since the user may have edited the form during the request.
    const now = this.events();
    if (!now) return this.say(translate('bells.elsewhere'));
    const rest = place === undefined ? [] : callsOf(now[place]);
    if (rest.length >= maxCalls) return this.say(translate('calls.five'));
    this.put(now, place, [...rest, entry]);
    this.password.val('');
    this.say(translate('calls.added', { name: String((answer as GivenBell).name) }));
  }

  private put(events: readonly GivenBell[], place: number | undefined, calls: readonly unknown[]): void {
    const row = this.dialog.row('events');
    if (!row) return;
    const at = place ?? events.length;
    const begun = { event_type: 'api_call', name: this.dialog.translate('calls.newName'), rrule: '' };
    const list = [...events];
    list[at] = { ...(events[at] ?? begun), api_call: calls };
    write(row, list);
    this.offerEvents(at);
  }

  private say(words: string): void {
    this.said.text(words);
  }
}

/**
 * Returns the operations of all action nodes as groups of options, read from the built pages of these nodes.
 */
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

/** Parses JSON; undefined for invalid JSON. An empty text is an empty object. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text) as unknown;
  } catch {
    return undefined;
  }
}
