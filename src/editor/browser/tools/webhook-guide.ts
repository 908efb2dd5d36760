import type { WebhookAddress } from '../../../runtime/answers';
import { say } from '../page/status-below';
import { ask } from './ask';
import { entryFor } from './webhook-entry';

export interface WebhookValues {
  readonly path: string;
  readonly auth: string;
  /** The password that the user entered; undefined if the password is unchanged or empty. */
  readonly typed: string | undefined;
  /** The entered password when the user left the field, which Node-RED compares with those of the devices. */
  readonly compared: string | undefined;
  readonly from: readonly string[];
}

const fields = ['method', 'target', 'path', 'header', 'payload', 'entry'] as const;

export class WebhookGuide {
  private readonly boxes = new Map<(typeof fields)[number], JQuery>();
  private readonly hints: JQuery;
  private address: WebhookAddress | undefined;
  private askedFor: string | undefined;

  constructor(
    private readonly node: EditorNode,
    container: JQuery,
    private readonly values: () => WebhookValues,
  ) {
    const translate = node._def._;
    container.children().not('summary').remove();
    this.hints = $('<div class="algo-hint" role="status">').text(translate('guide.loading'));
    const rows = fields.map((field) => {
      const id = `algo-webhook-copy-${field}`;
      const label = $('<label>')
        .attr('for', id)
        .text(translate(`guide.${field}`));
      const box = $(field === 'entry' ? '<textarea rows="4">' : '<input type="text">')
        .attr({ id, readonly: '', spellcheck: 'false' })
        .css({ width: 'calc(100% - 150px)', color: 'var(--red-ui-form-text-color)' })
        .on('focus click', () => void box.trigger('select'));
      this.boxes.set(field, box);
      return $('<div class="form-row">').append(label, ' ', box);
    });
    container.append(this.hints, ...rows);
  }

  refresh(): void {
    const { from, compared } = this.values();
    const request = { targets: from, id: this.node.id, password: compared };
    const asked = JSON.stringify(request);
    if (this.askedFor === asked) {
      this.show();
      return;
    }
    this.askedFor = asked;
    ask<WebhookAddress>('algo/webhook/address', request).then(
      (address) => {
        if (this.askedFor !== asked) return;
        this.address = address;
        this.show();
      },
      (error: Error) => {
        if (this.askedFor === asked) this.hints.text(error.message || this.translate('guide.missing'));
      },
    );
  }

  private show(): void {
    const { address } = this;
    const { path, auth, typed, from } = this.values();
    this.showWeak(from, auth, typed);
    if (!address) return;
    if (address.root === undefined) {
      this.hints.text(this.translate('guide.off'));
      return;
    }
    const entry = entryFor({ id: this.node.id, path, auth }, address, typed);
    const texts = { ...entry, header: escaped(entry.header), entry: JSON.stringify(entry, null, 1) };
    for (const [field, box] of this.boxes) if (box.val() !== texts[field]) box.val(texts[field]);
    const isHidden = ['basic', 'token'].includes(auth) && typed === undefined;
    const keys = ['help', ...(auth === 'standard' ? ['signed'] : []), ...(isHidden ? ['hidden'] : [])];
    const sentences = keys.map((key) => this.translate(`guide.${key}`)).join(' ');
    say(this.hints, sentences);
  }

  private showWeak(from: readonly string[], auth: string, typed: string | undefined): void {
    const { address } = this;
    const isPlain = address?.secure === false && ['basic', 'token'].includes(auth);
    const weak = [
      ...(auth === 'none' ? [from.length === 0 ? 'none' : 'noneFrom'] : []),
      ...(isPlain && !address.isLocal ? ['plain'] : []),
      ...(typed === 'algo' && auth !== 'none' ? ['factory'] : []),
      ...(address?.samePassword !== undefined && auth !== 'none' ? ['same'] : []),
      ...(address?.isLocal ? ['local'] : []),
    ];
    const text = weak
      .map((key) => this.node._def._(`weak.${key}`, { device: address?.samePassword ?? '' }))
      .join(' ');
    say($('#algo-webhook-weak'), text);
  }

  private translate(key: string): string {
    return this.node._def._(key);
  }
}

function escaped(header: string): string {
  return header.replaceAll('\r\n', '\\r\\n');
}
