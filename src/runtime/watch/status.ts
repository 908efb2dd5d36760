import { info } from '../../catalogue/info';
import { isRecord, type Reading, type Source } from './reading';
import { type Changes, type Compared, changesBetween, comparedPart, type FieldChoice } from './status-fields';
import { parseStatus } from './status-parsed';
import type { Content, Report, Reporter } from './watch';

/** Where the status record is read (4.1, 2.3). */
export const statusSource: Source = {
  operation: info.operations[1],
  deed: 'info/status',
  check: (body) => (isRecord(body) ? undefined : 'the answer is no status record'),
};

export interface StatusOptions extends FieldChoice {
  /** One message per change, one per reading, or one per field that changed. */
  readonly report: 'changes' | 'every' | 'fields';
  /** Report the first reading. */
  readonly initial: boolean;
}

/** Makes messages of what changes in the status record. */
export class Status implements Reporter {
  #before: Compared | undefined;

  constructor(private readonly options: StatusOptions) {}

  report({ body }: Reading, asked: boolean): Report {
    const record = body as Readonly<Record<string, unknown>>;
    const after = comparedPart(record, this.options);
    const before = this.#before;
    this.#before = after;
    const changes = before ? changesBetween(before, after) : {};
    const changed = Object.keys(changes).length > 0;
    const first = before ? {} : { initial: true };
    const isSilent = !before && !this.options.initial;
    const messages = isSilent ? [] : this.#messages(record, before ? undefined : after, changes, first);
    // In one message per record, what changed and what was asked for are the same message.
    const others = this.options.report === 'fields' ? messages : [];
    const answer = () => recordMessage(record, changes, first);
    return { messages: asked ? [...others, answer()] : messages, changed, status: 'state.watching' };
  }

  #messages(
    record: Readonly<Record<string, unknown>>,
    initial: Compared | undefined,
    changes: Changes,
    first: Content,
  ): Content[] {
    const { report } = this.options;
    const names = initial ? [...initial.keys()] : Object.keys(changes);
    if (report === 'fields') {
      return names.map((field) => fieldMessage(field, record, changes[field], first));
    }
    return report === 'every' || initial || names.length > 0 ? [recordMessage(record, changes, first)] : [];
  }
}

function recordMessage(record: Readonly<Record<string, unknown>>, changes: Changes, first: Content): Content {
  return { payload: structuredClone(record), changes, parsed: parseStatus(record), ...first };
}

function fieldMessage(
  field: string,
  record: Readonly<Record<string, unknown>>,
  change: Changes[string] | undefined,
  first: Content,
): Content {
  const changes = change ? { [field]: change } : {};
  const payload = structuredClone(record[field] ?? null);
  return { payload, field, changes, parsed: parseStatus({ [field]: record[field] }), ...first };
}
