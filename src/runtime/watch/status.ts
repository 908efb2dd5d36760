import { copyOf, isJsonObject, type Reading, sourceOf } from './reading';
import {
  type Changes,
  changesBetween,
  type FieldChoice,
  isCounted,
  noChanges,
  type StatusRecord,
} from './status-fields';
import { parseStatus } from './status-parsed';
import type { Content, Reporter, WatchReport } from './watch';

export const statusSource = sourceOf('info/status', (body) =>
  isStatusRecord(body) ? undefined : 'the response is not a status record',
);

/** Names in a response that contains an error instead of a record (docs/field-notes.md, section 2). */
const errorFields: readonly string[] = ['error', 'message', 'status', 'detail'];

/** Whether a response has status fields. An empty record would make all fields look changed. */
function isStatusRecord(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) {
    const value = body[name];
    if (!errorFields.includes(name) && (typeof value === 'string' || Array.isArray(value))) return true;
  }
  return false;
}

interface StatusOptions extends FieldChoice {
  /**
   * `changes`: one message for each reading with changes. `every`: one message for each reading. `fields`:
   * one message for each changed field.
   */
  readonly report: 'changes' | 'every' | 'fields';
  readonly initial: boolean;
}

const unchanged: WatchReport = { messages: [], changed: false, status: { key: 'state.watching' } };

export class Status implements Reporter {
  /**
   * The last record with all fields, since a deploy can change the reported fields; undefined before the
   * first reading.
   */
  #before: StatusRecord | undefined;
  #answer: () => Content = () => ({});

  constructor(private readonly options: StatusOptions) {}

  report({ body }: Reading, isAsked: boolean): WatchReport {
    const record = body as StatusRecord;
    const before = this.#before;
    const changes = before ? changesBetween(before, record, this.options) : noChanges;
    const changed = changes !== noChanges;
    this.#before = record;
    if (before && !changed && !isAsked && this.options.report !== 'every') return unchanged;
    const first = before ? {} : { initial: true };
    const isSilent = !before && !this.options.initial;
    const messages = isSilent ? [] : this.#messages(record, !before, changes, first);
    this.#answer = () => recordMessage(record, changes, first);
    // The answer to the message already contains the changes, unless each field has a separate message.
    const isAnswered = isAsked && this.options.report !== 'fields';
    return { messages: isAnswered ? [] : messages, changed, status: unchanged.status };
  }

  answer(): Content {
    return this.#answer();
  }

  goOnWith(before: Reporter): void {
    if (before instanceof Status) this.#before = before.#before;
  }

  #messages(record: StatusRecord, isFirst: boolean, changes: Changes, first: Content): Content[] {
    const { report } = this.options;
    const all = Object.keys(isFirst ? record : changes);
    if (report === 'fields') {
      const names = isFirst ? all.filter((name) => isCounted(name, this.options)) : all;
      return names.map((field) => fieldMessage(field, record, changes[field], first));
    }
    return report === 'every' || isFirst || all.length > 0 ? [recordMessage(record, changes, first)] : [];
  }
}

function recordMessage(record: StatusRecord, changes: Changes, first: Content): Content {
  return { payload: copyOf(record), changes: copyOf(changes), parsed: parseStatus(record), ...first };
}

function fieldMessage(
  field: string,
  record: StatusRecord,
  change: Changes[string] | undefined,
  first: Content,
): Content {
  const changes = change ? { [field]: copyOf(change) } : {};
  const payload = copyOf(record[field] ?? null);
  return { payload, field, changes, parsed: parseStatus({ [field]: record[field] }), ...first };
}
