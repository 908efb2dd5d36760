import { type CommandField, commandFields, isShown, storedOf, textsOf } from './fields';

const words = (key: string) => RED._(`@openpaging/node-red-algo/virtual:${key}`);

/** The rows do not change the stored JSON until the user edits a row or selects another command. */
class CommandRows {
  private readonly operation = $('#node-input-operation');
  private readonly parameters = $('#node-input-parameters');
  private readonly root = $('<div class="algo-command">');
  private texts: Record<string, string> = {};

  constructor() {
    this.root.insertAfter(this.parameters.closest('.form-row'));
    this.operation.on('change', () => this.changeOperation());
    this.parameters.on('change', () => this.show());
    this.root.on('input change', '[data-name]', ({ target }) => this.write(target as HTMLInputElement));
    this.show();
  }

  private get fields(): readonly CommandField[] | undefined {
    const operation = String(this.operation.val());
    return Object.hasOwn(commandFields, operation) ? commandFields[operation] : undefined;
  }

  private changeOperation(): void {
    const { fields } = this;
    this.parameters.typedInput('type', fields ? 'json' : 'msg');
    if (!fields) this.parameters.typedInput('value', 'payload');
    else {
      const first = fields.map(({ name, first: text = '' }) => [name, text]);
      this.parameters.typedInput('value', storedOf(fields, Object.fromEntries(first)));
    }
    this.show();
  }

  private show(): void {
    const { fields, parameters } = this;
    const isHere = fields !== undefined && parameters.typedInput('type') === 'json';
    const texts = isHere ? textsOf(fields, parameters.typedInput('value')) : undefined;
    const text = parameters.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input-wrap');
    text.css('visibility', texts ? 'hidden' : '');
    if (fields && texts && storedOf(fields, texts) === storedOf(fields, this.texts) && this.isOf(fields))
      return;
    this.texts = { ...texts };
    this.root.empty().append(fields && texts ? fields.map((field) => this.row(field)) : []);
    this.refresh();
  }

  /**
   * Whether the page already has the rows of these fields. Creating the rows again would interrupt a user who
   * is typing.
   */
  private isOf(fields: readonly CommandField[]): boolean {
    const names = this.root.find('[data-name]').get() as HTMLElement[];
    return names.map(({ dataset }) => dataset.name).join() === fields.map(({ name }) => name).join();
  }

  private row(field: CommandField): JQuery {
    const { name, kind } = field;
    const id = `algo-command-${name}`;
    const label = $('<label>')
      .attr('for', id)
      .text(words(`field.${name}.label`));
    const control = Array.isArray(kind) || kind === 'flag' ? choice(field) : $('<input type="text">');
    control.val(this.texts[name] ?? '').attr({ id, 'data-name': name, 'aria-describedby': `${id}-hint` });
    const hint = $('<div class="algo-hint">')
      .attr('id', `${id}-hint`)
      .text(words(`field.${name}.hint`));
    return $('<div class="form-row">').append(label, ' ', control, hint);
  }

  private write({ dataset, value }: HTMLInputElement): void {
    const { fields } = this;
    if (!fields) return;
    this.texts[dataset.name ?? ''] = value;
    this.parameters.typedInput('value', storedOf(fields, this.texts));
    this.refresh();
  }

  private refresh(): void {
    for (const field of this.fields ?? []) {
      const row = $(`#algo-command-${field.name}`).closest('.form-row');
      row.toggle(isShown(field, this.fields ?? [], this.texts));
    }
  }
}

function choice({ name, kind }: CommandField): JQuery {
  const values = kind === 'flag' ? ['true', 'false'] : kind;
  const options = [...values].map((value) => {
    const key = kind === 'flag' ? `choice.${name}.${value}` : `choice.${value || 'unset'}`;
    return $('<option>').val(value).text(words(key));
  });
  return $('<select>').append(options);
}

const form = { open: () => void new CommandRows() };

export type CommandForm = typeof form;

window.algoVirtual = form;
