import { loadScript } from '../page/load';
import { type Finding, findingsRegion, type Placed, sentenceOfFinding, showFindings } from './findings';
import type { ReadRows, readRows, TableKind } from './row-reader';

/** What is pasted. */
interface PasteOptions<Column extends string> {
  readonly kind: TableKind<Column>;
  /** What the ids of its elements begin with. */
  readonly id: string;
  /** What is wrong with rows, by their lines. */
  check(rows: readonly Placed<Column>[]): readonly Finding[] | Promise<readonly Finding[]>;
  /** Called with the rows that are right. */
  taken(rows: Record<Column, string>[]): void;
}

/** How long nothing is typed before a text is read again. */
const pauseMs = 250;

/** Where rows are pasted or imported: a text, and what is wrong with it by its lines, before anything is added. */
export class Paste<Column extends string> {
  private readonly area = $('<div class="algo-paste">').prop('hidden', true);
  private readonly file = $('<input type="file" accept=".csv,.tsv,.txt,text/csv,text/plain">');
  private readonly text = $('<textarea rows="8" spellcheck="false" wrap="off">');
  private readonly state = $('<div class="algo-hint" role="status">');
  private readonly findings = findingsRegion();
  private readonly add = $('<button type="button" class="red-ui-button red-ui-button-small algo-take">');
  private good: Record<Column, string>[] = [];
  private reads = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    root: JQuery,
    buttons: JQuery,
    private readonly translate: Translate,
    private readonly options: PasteOptions<Column>,
  ) {
    const { id } = options;
    this.file.attr('id', `${id}-file`);
    this.text.attr('id', `${id}-text`);
    const open = $('<button type="button" class="red-ui-button red-ui-button-small algo-open">');
    open.append(
      '<i class="fa fa-paste" aria-hidden="true"></i> ',
      document.createTextNode(translate('rows.paste')),
    );
    buttons.append(open.on('click', () => this.open()));
    const cancel = $('<button type="button" class="red-ui-button red-ui-button-small">').text(
      translate('paste.cancel'),
    );
    this.text.attr({ placeholder: translate('placeholder.text'), 'aria-describedby': `${id}-paste` });
    this.area.append(
      $('<div class="algo-hint">').attr('id', `${id}-paste`).text(translate('help.text')),
      $('<label>').attr('for', `${id}-file`).text(translate('paste.file')),
      this.file,
      $('<label>').attr('for', `${id}-text`).text(translate('paste.text')),
      this.text,
      this.state,
      this.findings,
      $('<div class="algo-buttons">').append(this.add, cancel),
    );
    root.append(this.area);
    cancel.on('click', () => this.close());
    this.add.on('click', () => this.take());
    this.file.on('change', () => this.readFile().catch(() => this.unread()));
    this.text.on('input', () => this.wait());
    this.text.on('paste', (event) => this.paste(event.originalEvent as ClipboardEvent));
  }

  private open(): void {
    this.area.prop('hidden', false);
    this.read();
    this.text.trigger('focus');
  }

  private close(): void {
    this.text.val('');
    this.file.val('');
    this.area.prop('hidden', true);
  }

  private take(): void {
    this.options.taken(this.good);
    this.close();
  }

  private async readFile(): Promise<void> {
    const [file] = (this.file.get(0) as HTMLInputElement).files ?? [];
    if (!file) return;
    this.text.val(await file.text());
    this.read();
  }

  /** A browser takes seconds to type a thousand lines into a box; to set them takes none. */
  private paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (!pasted.includes('\n')) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = this.text.get(0) as HTMLTextAreaElement;
    this.text.val(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
    this.read();
  }

  private wait(): void {
    this.begin();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), pauseMs);
  }

  /** Nothing is added before it is read: what was read before is not what stands there. */
  private begin(): void {
    this.reads += 1;
    this.add.prop('disabled', true);
  }

  /** Reads the text as it is now; what reads it is loaded by then, or loaded first. */
  private read(): void {
    this.begin();
    const read = this.reads;
    const { kind } = this.options;
    loadReader()
      .then(async ({ readRows }) => {
        const found = readRows(String(this.text.val()), kind);
        const wrong = await this.options.check(found.rows);
        if (read === this.reads) this.review(found, wrong);
      })
      .catch(() => read === this.reads && this.unread());
  }

  /** What cannot be read, for whatever reason, adds nothing: neither does what was read before. */
  private unread(): void {
    this.review({ rows: [], findings: [] }, []);
    this.state.text(this.translate('paste.missing'));
  }

  private review({ rows, findings, isHeadWrong }: ReadRows<Column>, wrong: readonly Finding[]): void {
    const { translate } = this;
    const all = [...findings, ...wrong].sort((a, b) => a.line - b.line);
    const bad = new Set(all.map(({ line }) => line));
    this.good = rows.filter(({ line }) => !bad.has(line)).map(({ row }) => row);
    const lines = bad.size;
    const words = { count: String(this.good.length), wrong: String(lines) };
    this.state.text(
      rows.length + lines > 0 ? translate(lines > 0 ? 'paste.wrong' : 'paste.read', words) : '',
    );
    this.add.text(translate(lines > 0 ? 'paste.addGood' : 'paste.add', words));
    this.add.prop('disabled', this.good.length === 0);
    const told = isHeadWrong ? withoutCommon(all, rows.length) : all;
    const sentences = told.map((finding) => sentenceOfFinding(translate, finding, 'line'));
    showFindings(this.findings, sentences, translate, (at) => this.select(told[at]?.line ?? 1));
  }

  /** Selects a line of the text, and scrolls to it. */
  private select(line: number): void {
    const box = this.text.get(0) as HTMLTextAreaElement;
    const lines = box.value.split('\n');
    const before = lines.slice(0, line - 1).join('\n').length;
    const begin = line === 1 ? 0 : before + 1;
    const end = box.value.indexOf('\n', begin);
    box.focus();
    box.setSelectionRange(begin, end < 0 ? box.value.length : end);
    // Lines are not wrapped, so they are all of the same height.
    const top = ((line - 1) / lines.length) * box.scrollHeight;
    box.scrollTo(0, top - box.clientHeight / 2);
  }
}

/** Without what is wrong with each of several rows alike. */
function withoutCommon(findings: readonly Finding[], count: number): Finding[] {
  const said = findings.map(({ what, words }) => JSON.stringify([what, words]));
  const counts = new Map<string, number>();
  for (const one of said) counts.set(one, (counts.get(one) ?? 0) + 1);
  return findings.filter((_, place) => count === 1 || counts.get(said[place] ?? '') !== count);
}

type Reader = { readonly readRows: typeof readRows };

declare global {
  interface Window {
    /** Brought by a file of its own, when a person wants to paste or to import. */
    algoRows?: Reader;
  }
}

/** Loads what reads rows of a text; rejects where it cannot be had, and may be asked again. */
function loadReader(): Promise<Reader> {
  return loadScript('algo-rows.js', () => window.algoRows);
}
