import type { OverviewAsked, OverviewNews, OverviewRow } from '../../../runtime/answers';
import { editorLanguage } from '../language/editor-language';
import { button } from '../page/button';
import { say } from '../page/status-below';
import { askInParts, Refusal } from '../tools/ask';
import { columns } from './columns';
import { csvOf, download, separatorIn } from './csv';
import { Details } from './details';
import { Grid } from './grid';
import { LiveRows } from './live-rows';
import { RowList } from './row-list';
import { numberWords, words } from './words';

/** Minimum time between two sorts after rows have changed, in milliseconds. */
const settleMs = 2_000;
/** Time after an action of the user in which changed rows are not sorted, in milliseconds. */
const handMs = 5_000;
/** Minimum time before changed rows are announced to screen readers again, in milliseconds. */
const announceMs = 5_000;

const inventory = ['name', 'address', 'model', 'firmware', 'mac'] as const;

export class Sidebar {
  private readonly list = new RowList(columns, (row) => this.textOf(row), editorLanguage());
  private readonly search = $('<input type="search" autocomplete="off">');
  private readonly trouble = $('<div class="algo-trouble" role="alert">').hide();
  private readonly status = $('<div class="algo-count" role="status">');
  private readonly grid: Grid;
  private readonly details: Details;
  private arrangedAt = 0;
  private arranging: ReturnType<typeof setTimeout> | undefined;
  private touchedAt = Number.NEGATIVE_INFINITY;
  private announcedAt = 0;
  private telling: ReturnType<typeof setTimeout> | undefined;
  private announcesAt = 0;
  private total = 0;

  constructor(private readonly content: HTMLElement) {
    this.grid = new Grid(this.list, columns, {
      sort: (column) => this.sort(column),
      open: (id, byKey) => this.open(id, byKey),
    });
    this.details = new Details({
      close: () => this.close(),
      ask: (ids) => void this.ask(ids),
      nameOf: (id) => this.list.get(id)?.name,
    });
    this.search.attr({ placeholder: words('search'), 'aria-label': words('search') });
    const all = () => this.list.shown.filter((id) => this.list.get(id)?.kind === 'device');
    $(content).append(
      $('<div class="algo-bar">').append(
        this.search,
        button(words('ask'), () => void this.ask(all()), 'stethoscope'),
        button(words('export'), () => this.export(), 'download'),
      ),
      this.trouble,
      this.grid.element,
      this.status,
      this.details.element,
    );
    this.search.on('input', () => {
      this.list.search(String(this.search.val()));
      this.arrange();
      this.announceSoon(500);
    });
    for (const touch of ['pointermove', 'keydown', 'wheel']) {
      const note = () => {
        this.touchedAt = performance.now();
      };
      this.grid.element.addEventListener(touch, note, { passive: true });
    }
    new LiveRows(content, {
      news: (news) => this.take(news),
      trouble: (sentence) => {
        say(this.trouble.toggle(sentence !== ''), sentence);
      },
    });
    this.arrange();
  }

  private take(news: OverviewNews): void {
    const isOther = this.list.take(news);
    this.total = news.total;
    if (isOther) this.arrange();
    else {
      this.grid.draw();
      this.arrangeSoon();
    }
    this.followDetails(news);
    this.announceSoon(Math.max(1_000, this.announcedAt + announceMs - performance.now()));
  }

  private followDetails({ begins, changes, removed }: OverviewNews): void {
    const { id } = this.details;
    if (id === undefined) return;
    const row = this.list.get(id);
    if (row && (begins || changes.some((change) => change.id === id))) this.details.refresh(row);
    else if (!row && removed.includes(id)) this.close();
  }

  private arrangeSoon(): void {
    if (this.arranging !== undefined) return;
    const at = Math.max(this.arrangedAt + settleMs, this.touchedAt + handMs);
    this.arranging = setTimeout(
      () => {
        this.arranging = undefined;
        if (performance.now() < this.touchedAt + handMs) this.arrangeSoon();
        else this.arrange();
      },
      Math.max(0, at - performance.now()),
    );
  }

  private arrange(): void {
    clearTimeout(this.arranging);
    this.arranging = undefined;
    this.arrangedAt = performance.now();
    this.list.arrange();
    this.grid.draw();
  }

  private sort(column: string): void {
    const { sorting } = this.list;
    const isDescending = sorting.column === column && !sorting.isDescending;
    this.list.sorting = { column, isDescending };
    this.arrange();
  }

  private open(id: string, byKey: boolean): void {
    const row = this.list.get(id);
    if (!row) return;
    this.details.open(row);
    this.grid.opened = id;
    this.content.classList.add('algo-opened');
    // In a low sidebar, the details cover the list, so the details get the focus.
    const isCovered = getComputedStyle(this.grid.element).visibility === 'hidden';
    if (byKey || isCovered) this.details.focus();
  }

  private close(): void {
    const { id } = this.details;
    const hadFocus = this.details.element.get(0)?.contains(document.activeElement);
    this.details.close();
    this.grid.opened = undefined;
    this.content.classList.remove('algo-opened');
    if (hadFocus && id !== undefined) this.grid.focus(id);
  }

  private async ask(ids: readonly string[]): Promise<void> {
    try {
      const answers = await askInParts<OverviewAsked>('algo/overview/ask', ids);
      const devices = answers.reduce((sum, { asked }) => sum + asked, 0);
      RED.notify(words('asked', { devices: String(devices) }), 'success');
    } catch (error) {
      RED.notify(error instanceof Refusal ? escaped(error.message) : words('missing'), 'error');
    }
  }

  private export(): void {
    const rows = this.list.shown.flatMap((id) => this.list.get(id) ?? []);
    const devices = rows.filter(({ kind }) => kind === 'device');
    const head = inventory.map((name) => words(`fact.${name}`));
    const lines = devices.map((row) => inventory.map((name) => row[name] ?? ''));
    download(`algo-${new Date().toISOString().slice(0, 10)}.csv`, csvOf([head, ...lines], separatorIn()));
  }

  /**
   * Announces the number of rows to screen readers after a delay, so that frequent changes do not interrupt
   * the user.
   */
  private announceSoon(ms: number): void {
    const at = performance.now() + ms;
    if (this.telling !== undefined && this.announcesAt <= at) return;
    clearTimeout(this.telling);
    this.announcesAt = at;
    this.telling = setTimeout(() => {
      this.telling = undefined;
      this.announcedAt = performance.now();
      say(this.status, this.countWords());
    }, ms);
  }

  private textOf(row: OverviewRow): string {
    const { product = '', mac = '', groups = [] } = row;
    const names = groups.map((id) => this.list.get(id)?.name ?? '');
    return [...columns.map((column) => column.text(row)), product, mac, ...names].join(' ');
  }

  private countWords(): string {
    if (this.total === 0) return words('count.none');
    const { shown } = this.list;
    const rows = shown.flatMap((id) => this.list.get(id) ?? []);
    const devices = rows.filter(({ kind }) => kind === 'device');
    const away = devices.filter(({ reachable }) => reachable === false).length;
    const rejected = devices.filter((row) => row.rejected).length;
    const unknown = devices.filter(({ reachable, unset }) => reachable === undefined && !unset).length;
    const numbers = [shown.length, this.total, away].map(numberWords);
    const [count = '', total = '', gone = ''] = numbers;
    const key = shown.length === this.total ? 'count.all' : 'count.some';
    return [
      words(key, { shown: count, total, away: gone }),
      ...(rejected > 0 ? [words('count.rejected', { count: numberWords(rejected) })] : []),
      ...(unknown > 0 ? [words('count.unknown', { count: numberWords(unknown) })] : []),
    ].join(' · ');
  }
}

function escaped(text: string): string {
  return $('<div>').text(text).html();
}
