import type { ExtensibleDialog } from '../form/dialog-extension';
import { button } from '../page/button';
import { itemsOf } from '../table/findings';
import { sayWithHelp } from '../tools/error-help';
import { askDevice, chosenDevice, type DeviceResponse } from './ask-device';
import { askFirst } from './ask-first';
import type { GivenBell } from './cells';
import { readRow } from './row-value';

const maxListed = 50;

const kinds = ['created', 'updated', 'deleted'] as const;

type Changes = Partial<Readonly<Record<(typeof kinds)[number], readonly GivenBell[]>>> & {
  readonly unchanged?: number;
  readonly warnings?: readonly string[];
};

export class Plan {
  readonly element = $('<div class="algo-plan">');
  private readonly status = $('<div role="status">');
  private readonly details = $('<div>');
  private asked = 0;

  constructor(
    private readonly dialog: ExtensibleDialog,
    private readonly done: () => void,
  ) {
    const show = button(dialog.translate('plan.show'), () => this.ask(), 'list-alt');
    this.element.append($('<div class="algo-buttons">').append(show), this.status, this.details);
  }

  private parameters(): { tag: unknown; bells: unknown } | undefined {
    const [tag, bells] = ['tag', 'bells'].map((name) => {
      const row = this.dialog.row(name);
      const written = row && readRow(row);
      return written?.kind === 'value' ? written.value : undefined;
    });
    return tag === undefined || bells === undefined ? undefined : { tag, bells };
  }

  private async ask(): Promise<void> {
    const { translate } = this.dialog;
    const parameters = this.parameters();
    const device = chosenDevice();
    this.details.empty();
    if (!parameters) return this.report(translate('plan.form'));
    if (!device) return this.report(translate('bells.noDevice'));
    this.report(translate('bells.asking'));
    this.asked += 1;
    const asked = this.asked;
    const response = await askDevice(device, 'look', { operation: 'plan', parameters }, translate);
    if (asked === this.asked) this.show(response, device, parameters);
  }

  private report(words: string, code?: string): void {
    sayWithHelp(this.status, words, code);
  }

  private show(response: DeviceResponse, device: string, parameters: object): void {
    const { translate } = this.dialog;
    const wrong =
      response.error === undefined ? undefined : translate('plan.wrong', { error: response.error });
    const nothing = response.outcome === 'dry-run' ? translate('plan.dryRun') : undefined;
    if (wrong !== undefined || nothing !== undefined) {
      this.report(wrong ?? nothing ?? '', response.code);
      return;
    }
    const changes = (response.answer ?? {}) as Changes;
    const count = kinds.reduce((sum, kind) => sum + (changes[kind]?.length ?? 0), 0);
    this.report(translate(count === 0 ? 'plan.nothing' : 'plan.title'));
    for (const kind of kinds) this.list(kind, (changes[kind] ?? []).map(nameOf));
    this.details.append(
      $('<p>').text(translate('plan.unchanged', { count: String(changes.unchanged ?? 0) })),
    );
    this.list('warnings', [...(changes.warnings ?? []), ...(response.note ? [response.note] : [])]);
    if (count > 0) this.details.append(this.runButton(response.device ?? '', device, parameters));
  }

  private list(kind: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { translate } = this.dialog;
    const head = translate(`plan.${kind}`, { count: String(lines.length) });
    this.details.append($('<h4>').text(head), $('<ul>').append(itemsOf(lines, maxListed, translate)));
  }

  private runButton(name: string, device: string, parameters: object): JQuery {
    const { translate } = this.dialog;
    const words = {
      question: translate('plan.ask', { device: name }),
      yes: translate('plan.yes'),
      no: translate('plan.cancel'),
    };
    const run = button(translate('plan.run'), (own) => {
      askFirst(own, words, () => this.run(device, parameters));
    });
    return $('<div class="algo-buttons">').append(run);
  }

  private async run(device: string, parameters: object): Promise<void> {
    const { translate } = this.dialog;
    this.report(translate('bells.asking'));
    const response = await askDevice(device, 'change', { operation: 'sync', parameters }, translate);
    this.details.empty();
    if (response.error !== undefined)
      this.report(translate('plan.wrong', { error: response.error }), response.code);
    else this.report(translate('plan.done', { outcome: outcomeWords(response.outcome) }));
    this.done();
  }
}

function outcomeWords(outcome = ''): string {
  return RED._(`@openpaging/node-red-algo/device:try.outcome.${outcome}`);
}

export function nameOf({ name, time, days }: GivenBell): string {
  const on = Array.isArray(days) ? days.join(',') : days;
  return [time, name, on].filter((part) => part !== undefined).join(' · ');
}
