import { button } from '../page/button';
import { loadScript } from '../page/load';
import { type Finding, findingsRegion, type Placed, sentenceOfFinding, showFindings } from './findings';
import type { decodeTextFile, ReadRows, readRows, TableKind } from './row-reader';

interface PasteOptions<Column extends string> {
  readonly kind: TableKind<Column>;
  readonly id: string;
  check(rows: readonly Placed<Column>[]): readonly Finding[] | Promise<readonly Finding[]>;
  taken(rows: Record<Column, string>[]): void;
}

/** Pause after the last keystroke before the text is read, in milliseconds. */
const pauseMs = 250;

export class Paste<Column extends string> {
  private readonly area = $('<div class="algo-paste">').prop('hidden', true);
  private readonly file = $('<input type="file" accept=".csv,.tsv,.txt,text/csv,text/plain">');
  private readonly text = $('<textarea rows="8" spellcheck="false" wrap="off">');
  private readonly state = $('<div class="algo-hint" role="status">');
  private readonly findings = findingsRegion();
  private readonly hints = findingsRegion('algo-warning');
  private readonly add = button('', () => this.take()).addClass('algo-take');
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
    buttons.append(button(translate('rows.paste'), () => this.open(), 'paste').addClass('algo-open'));
    const cancel = button(translate('paste.cancel'), () => this.close());
    this.text.attr({ placeholder: translate('placeholder.text'), 'aria-describedby': `${id}-paste` });
    this.area.append(
      $('<div class="algo-hint">').attr('id', `${id}-paste`).text(translate('help.text')),
      $('<label>').attr('for', `${id}-file`).text(translate('paste.file')),
      this.file,
      $('<label>').attr('for', `${id}-text`).text(translate('paste.text')),
      this.text,
      this.state,
      this.findings,
      this.hints,
      $('<div class="algo-buttons">').append(this.add, cancel),
    );
    root.append(this.area);
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
    const { decodeTextFile } = await loadReader();
    this.text.val(decodeTextFile(await file.arrayBuffer()));
    this.read();
  }

  /**
   * Inserts pasted text of several lines, since the browser itself would take seconds for a thousand lines.
   */
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

  /** Disables the add button until the new text is read, since the known rows belong to the previous text. */
  private begin(): void {
    this.reads += 1;
    this.add.prop('disabled', true);
  }

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

  private unread(): void {
    this.review({ rows: [], findings: [] }, []);
    this.state.text(this.translate('paste.missing'));
  }

  private review({ rows, findings, isHeadWrong }: ReadRows<Column>, wrong: readonly Finding[]): void {
    const { translate } = this;
    const found = [...findings, ...wrong].sort((a, b) => a.line - b.line);
    const all = found.filter(({ isHint }) => !isHint);
    const bad = new Set(all.map(({ line }) => line));
    this.good = rows.filter(({ line }) => !bad.has(line)).map(({ row }) => row);
    const lines = bad.size;
    const words = { count: String(this.good.length), wrong: String(lines) };
    this.state.text(
      rows.length + lines > 0 ? translate(lines > 0 ? 'paste.wrong' : 'paste.read', words) : '',
    );
    this.add.text(translate(lines > 0 ? 'paste.addGood' : 'paste.add', words));
    this.add.prop('disabled', this.good.length === 0);
    const shown = isHeadWrong ? withoutCommon(all, rows.length) : all;
    this.show(this.findings, shown);
    this.show(
      this.hints,
      found.filter(({ isHint }) => isHint),
    );
  }

  private show(region: JQuery, findings: readonly Finding[]): void {
    const sentences = findings.map((finding) => sentenceOfFinding(this.translate, finding, 'line'));
    showFindings(region, sentences, this.translate, (at) => this.select(findings[at]?.line ?? 1));
  }

  private select(line: number): void {
    const box = this.text.get(0) as HTMLTextAreaElement;
    const lines = box.value.split('\n');
    const before = lines.slice(0, line - 1).join('\n').length;
    const begin = line === 1 ? 0 : before + 1;
    const end = box.value.indexOf('\n', begin);
    box.focus();
    box.setSelectionRange(begin, end < 0 ? box.value.length : end);
    // Lines do not wrap, so all lines have the same height.
    const top = ((line - 1) / lines.length) * box.scrollHeight;
    box.scrollTo(0, top - box.clientHeight / 2);
  }
}

function withoutCommon(findings: readonly Finding[], count: number): Finding[] {
  const keys = findings.map(({ what, words }) => JSON.stringify([what, words]));
  const counts = new Map<string, number>();
  for (const one of keys) counts.set(one, (counts.get(one) ?? 0) + 1);
  return findings.filter((_, index) => count === 1 || counts.get(keys[index] ?? '') !== count);
}

type Reader = { readonly readRows: typeof readRows; readonly decodeTextFile: typeof decodeTextFile };

export function loadReader(): Promise<Reader> {
  return loadScript('rows');
}
