import { button } from '../page/button';
import type { KnownDevice } from './known-devices';

const maxShown = 100;

export class Picker {
  readonly picked: Set<string>;
  private readonly list = $('<div class="algo-choices" role="group">');
  private readonly more = $('<div class="algo-hint" role="status">');

  constructor(
    root: JQuery,
    private readonly devices: readonly KnownDevice[],
    picked: readonly string[],
    private readonly translate: Translate,
    private readonly changed: () => void,
    private readonly search = $('#algo-group-search'),
  ) {
    this.picked = new Set(picked);
    this.list.attr('aria-label', translate('label.devices'));
    const buttons = $('<div class="algo-buttons">').append(
      this.button('all', true),
      this.button('none', false),
    );
    root.append(this.list, this.more, buttons);
    this.search.on('input', () => this.show());
    // Otherwise Enter would press the default button of the dialog.
    this.search.on('keydown', (event) => event.key !== 'Enter');
    this.list.on('change', 'input', (event) => {
      const { value, checked } = event.target as HTMLInputElement;
      this.tick([value], checked);
    });
    this.show();
  }

  private button(words: 'all' | 'none', isTicked: boolean): JQuery {
    return button(this.translate(`devices.${words}`), () => {
      this.tick(
        this.found().map(({ id }) => id),
        isTicked,
      );
      this.show();
    });
  }

  private tick(ids: readonly string[], isTicked: boolean): void {
    for (const id of ids) {
      if (isTicked) this.picked.add(id);
      else this.picked.delete(id);
    }
    this.changed();
  }

  private found(): readonly KnownDevice[] {
    const words = String(this.search.val()).toLowerCase().split(' ');
    const missingIds = [...this.picked].filter((id) => !this.devices.some((device) => device.id === id));
    const missing = missingIds.map((id) => ({
      id,
      name: this.translate('devices.gone', { id }),
      address: '',
      tags: [],
    }));
    return [...missing, ...this.devices].filter(({ name, address, tags }) => {
      const text = `${name} ${address} ${tags.join(' ')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  private show(): void {
    const found = this.found();
    const shown = [
      ...found.filter(({ id }) => this.picked.has(id)),
      ...found.filter(({ id }) => !this.picked.has(id)),
    ].slice(0, maxShown);
    this.list.empty().append(shown.map((device) => this.item(device)));
    const hidden = found.length - shown.length;
    const nothing = this.devices.length === 0 ? 'devices.empty' : 'devices.nothing';
    const more = hidden > 0 ? this.translate('devices.more', { count: String(hidden) }) : '';
    this.more.text(found.length === 0 ? this.translate(nothing) : more);
  }

  private item({ id, name, address, tags }: KnownDevice): JQuery {
    const box = $('<input type="checkbox">').val(id).prop('checked', this.picked.has(id));
    const about = $('<span class="algo-about">').text([address, ...tags].filter(Boolean).join(' · '));
    // Core marks disabled nodes in its own lists with the same word.
    const isDisabled = RED.nodes.node(id.replace(/^group:/, ''))?.d === true;
    const shown = isDisabled ? `${name} [${RED._('workspace.disabled')}]` : name;
    return $('<label class="algo-choice">').append(box, $('<span>').text(shown), ' ', about);
  }
}
