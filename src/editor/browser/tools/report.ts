import { button } from '../page/button';
import { errorHelp } from './error-help';

/**
 * The level of a sentence, which decides icon and color. The words of the sentence must express the level
 * too.
 */
type ReportLevel = 'good' | 'weak' | 'bad';

const icons: Readonly<Record<ReportLevel, string>> = {
  good: 'check-circle',
  weak: 'exclamation-triangle',
  bad: 'times-circle',
};

export class Report {
  private readonly list = $('<ul>');
  private readonly buttons = $('<div class="algo-buttons">');

  constructor(private readonly root: JQuery) {
    root.empty().append(this.list);
  }

  add(level: ReportLevel, sentence: string): this {
    const icon = $(`<i class="fa fa-${icons[level]}" aria-hidden="true">`);
    this.list.append($(`<li class="algo-${level}">`).append(icon, ' ', document.createTextNode(sentence)));
    return this;
  }

  detail(sentence: string): this {
    this.list.append($('<li class="algo-detail">').text(sentence));
    return this;
  }

  help(code: string): this {
    this.list.append($('<li class="algo-detail">').append(errorHelp(code)));
    return this;
  }

  button(label: string, press: () => void): JQuery {
    const made = button(label, press);
    this.buttons.append(made).appendTo(this.root);
    return made;
  }

  done(): void {
    this.root.get(0)?.scrollIntoView({ block: 'nearest' });
  }
}
