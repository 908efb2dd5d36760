import type { FoundDevice, OwnRanges } from '../../../runtime/answers';
import { button } from '../page/button';
import { everyDevice, rowsOfOthers } from '../targets/known-devices';
import { ask, words } from './ask';
import { type Running, startSearch } from './find-stream';
import { written } from './make-devices';

interface Wanted {
  known(): ReadonlyMap<string, string>;
  /**
   * Adds the addresses of the selected devices to the dialog. If `make` is set, there is exactly one address.
   */
  take(addresses: readonly string[]): void;
  make?(found: readonly FoundDevice[]): void;
}

export function find(button: JQuery, wanted: Wanted): void {
  const open = button.parent().children('.algo-finder');
  if (open.length > 0) open.trigger('algo-close');
  else new Finder(button, wanted);
}

class Finder {
  private readonly root = $('<div class="algo-offers algo-finder" role="group">');
  private readonly range = $('<input type="text" id="algo-find-range" list="algo-find-ranges">');
  private readonly ranges = $('<datalist id="algo-find-ranges">');
  private readonly go = button('', () => (this.running ? this.running.stop() : this.start()));
  private readonly progress = $('<progress value="0">').attr('aria-label', words('find.progress'));
  private readonly note = $('<div class="algo-hint" role="status">');
  private readonly list = $('<ul>');
  private readonly add = button('', () =>
    this.wanted.make ? this.makeSelected() : this.take(this.selected()),
  );
  private readonly about = $('<div class="algo-hint" id="algo-find-make">');
  private running: Running | undefined;
  private asked = 0;
  private found: FoundDevice[] = [];

  constructor(
    private readonly opener: JQuery,
    private readonly wanted: Wanted,
  ) {
    this.root.attr('aria-label', words('find.button'));
    this.range.attr({ placeholder: '192.168.1.0/24', 'aria-describedby': 'algo-find-hint' });
    const label = $('<label for="algo-find-range">').text(words('find.range'));
    const hint = $('<div class="algo-hint" id="algo-find-hint">').text(words('find.hint'));
    const line = $('<div class="algo-buttons">').append(this.range, this.ranges, this.go);
    this.root.append(label, line, hint, this.progress, this.note, this.list, this.add, this.about);
    if (wanted.make)
      this.add.attr('aria-describedby', this.about.text(words('find.makeHint')).attr('id') ?? '');
    this.root.insertAfter(opener.nextAll('.algo-hint').first());
    this.list.on('change', () => this.count());
    this.root.on('keydown', (event) => this.press(event));
    this.root.on('algo-close', () => this.close());
    // jQuery UI triggers `remove` when the dialog closes, which stops the search.
    this.root.on('remove', () => this.running?.stop());
    opener.attr('aria-expanded', 'true');
    this.show();
    this.range.trigger('focus');
    this.propose();
  }

  private propose(): void {
    ask<OwnRanges>('algo/find/ranges', {}).then(
      ({ ranges }) => {
        this.ranges.append(ranges.map((range) => $('<option>').val(range)));
        if (this.range.val() === '') this.range.val(ranges[0] ?? '');
      },
      (refusal: Error) => this.note.text(refusal.message),
    );
  }

  /**
   * Without this handler, Enter would press the default button of the dialog, and Escape would close the
   * dialog.
   */
  private press(event: JQuery.KeyDownEvent): void {
    const isRange = event.target === this.range.get(0);
    if (event.key === 'Enter' && isRange) {
      event.preventDefault();
      if (!this.running) this.start();
    }
    if (event.key === 'Enter') event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.close();
  }

  private close(): void {
    this.root.remove();
    this.opener.attr('aria-expanded', 'false').trigger('focus');
  }

  private start(): void {
    [this.asked, this.found] = [0, []];
    this.list.empty();
    this.progress.val(0);
    const running = startSearch(String(this.range.val()), ({ of, asked, found }) => {
      if (of !== undefined) this.progress.attr('max', of);
      if (asked !== undefined || found) this.asked += 1;
      this.progress.val(this.asked);
      if (found) this.offer(found);
    });
    this.running = running;
    this.note.text(words('find.asking'));
    this.show();
    running.ended
      .then(
        (isWhole) => this.sum(isWhole ? 'find.end' : 'find.stopped'),
        (refusal: Error) => this.note.text(refusal.message),
      )
      .finally(() => {
        this.running = undefined;
        this.show();
        // Scrolls to the list of found devices, which might be outside the visible part of the dialog.
        this.root.get(0)?.scrollIntoView({ block: 'nearest' });
      });
  }

  private sum(key: string): void {
    const counts = { found: String(this.found.length), asked: String(this.asked) };
    this.note.text(words(this.found.length > 0 ? key : `${key}None`, counts));
  }

  private offer(found: FoundDevice): void {
    this.found.push(found);
    const { secure, product } = found;
    const address = written(found);
    const name = this.wanted.known().get(hostAndPort(address));
    const known = name === undefined ? [] : [words('find.known', { name })];
    const text = [found.address, product, secure ? 'https' : 'http', ...known].join(' · ');
    const item = $('<li>')
      .attr('data-address', address)
      .append(this.selecting(address, text, name === undefined));
    if (this.wanted.make) item.append(this.filling(address));
    const later = this.list
      .children()
      .get()
      .find((other) => isBefore(address, other.dataset.address ?? ''));
    if (later) item.insertBefore(later);
    else this.list.append(item);
    this.count();
  }

  /** If the dialog creates nodes, a known device has no checkbox, since the device already has a node. */
  private selecting(address: string, text: string, isNew: boolean): JQuery {
    if (this.wanted.make && !isNew) return $('<span class="algo-choice">').text(text);
    const box = $('<input type="checkbox">').val(address).prop('checked', isNew);
    return $('<label class="algo-choice">').append(box, document.createTextNode(text));
  }

  private filling(address: string): JQuery {
    const fill = button(words('find.fill'), () => this.take([address]));
    return fill.attr('aria-label', words('test.fill', { said: address }));
  }

  private selected(): string[] {
    const boxes = this.list.find('input:checked').get() as HTMLInputElement[];
    return boxes.map(({ value }) => value);
  }

  private makeSelected(): void {
    const selected = this.selected();
    const isSelected = (one: FoundDevice) => selected.includes(written(one));
    const made = this.found.filter(isSelected);
    this.wanted.make?.(made);
    this.found = this.found.filter((one) => !isSelected(one));
    const items = this.list.children().get();
    for (const item of items) if (selected.includes(item.dataset.address ?? '')) item.remove();
    for (const one of made) this.offer(one);
    this.note.text(words('find.made', { count: String(made.length) }));
    this.range.trigger('focus');
  }

  private take(addresses: readonly string[]): void {
    this.close();
    this.wanted.take(addresses);
  }

  private count(): void {
    const count = this.selected().length;
    this.add.add(this.about).toggle(this.found.length > 0);
    const key = this.wanted.make ? 'find.make' : 'find.add';
    this.add.text(words(key, { count: String(count) })).prop('disabled', count === 0);
  }

  private show(): void {
    this.go.text(words(this.running ? 'find.stop' : 'find.start'));
    this.progress.toggle(this.running !== undefined);
    this.count();
  }
}

function isBefore(one: string, other: string): boolean {
  return hostAndPort(one).localeCompare(hostAndPort(other), undefined, { numeric: true }) < 0;
}

export function knownPlaces(
  node: EditorNode,
  more: readonly { readonly name: string; readonly address: string }[] = [],
): ReadonlyMap<string, string> {
  const known = [...everyDevice(), ...rowsOfOthers(node), ...more];
  return new Map(known.map(({ name, address }) => [hostAndPort(address), name || address]));
}

/**
 * Returns host and port of an address, without the default ports 80 and 443: a device listens on both ports.
 */
function hostAndPort(address: string): string {
  const text = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(text)) return address;
  const { hostname, port } = new URL(text);
  return ['', '80', '443'].includes(port) ? hostname : `${hostname}:${port}`;
}
