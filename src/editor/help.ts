import type { Field, Operation, OperationGroup, Option, When } from '../catalogue/operation';
import { type DeliveryDefaults, deliveryDefaultsOf } from './delivery';
import { escapeMarkdown } from './html';
import { type Words, wordAt } from './words';

type Placeholders = Record<string, string>;

/**
 * Returns the texts that the help pages of a language share, with links to the pages of one node.
 * @param help texts of the language's `help.json`
 */
export function renderSharedHelp(help: Words, resource: string): Placeholders {
  const lines = (...keys: string[]) => keys.map((key) => wordAt(help, key)).join('\n');
  return {
    references: lines('nodePage', 'packagePage').replace('__node__', resource),
    problems: lines('problems'),
    watchInputs: lines('watch.operation', 'watch.interval'),
    watchConnection: lines(
      ...['watch.connection', 'watch.lastSeen', 'watch.reason', 'watch.missed'],
      ...['watch.reachable', 'watch.total', 'watch.device'],
    ),
    watchReadings: [
      lines('watch.group'),
      lines('watch.shared'),
      lines('watch.offline'),
      lines('watch.unsupported'),
    ].join('\n\n'),
  };
}

/**
 * Returns the parts of an action node's help that the catalogue provides. Statements about retries, order,
 * confirmed writes and firmware come only from the catalogue, since a wrong statement does harm.
 * @param language language tag, which is also the name of the folder in `locales`
 * @param help texts of the language's `help.json`
 * @param words words of the node in the language
 */
export function renderActionHelp(
  group: OperationGroup,
  language: string,
  help: Words,
  words: Words,
): Placeholders {
  const listsOf = (type: 'conjunction' | 'disjunction') => {
    const list = new Intl.ListFormat(language, { type });
    return (operations: readonly Operation[]) =>
      list.format(operations.map(({ id }) => `*${escapeMarkdown(wordAt(words, `operation.${id}.title`))}*`));
  };
  const texts: Language = {
    help: (key, inside = {}) =>
      wordAt(help, key).replace(/__(\w+?)__/g, (_, name: string) => inside[name] ?? ''),
    titles: listsOf('conjunction'),
    anyOf: listsOf('disjunction'),
    option: (name) => wordAt(words, `option.${name}.label`),
  };
  return {
    inputs: renderInputs(group, texts),
    unchanged: texts.help('unchanged'),
    receipts: texts.help('receipts'),
    failed: texts.help('failed'),
    outcome: renderOutcome(group, texts),
    repetition: renderRepetition(group, texts),
    order: renderOrder(group, texts),
    delivery: renderDeliveryHelp(group, texts),
    consent: renderConsent(group, texts),
    ...firmwares(group),
  };
}

/** A node with a single operation has no input `operation`. */
function renderInputs({ operations }: OperationGroup, { help }: Language): string {
  const inputs = ['payload', 'device', ...(operations.length > 1 ? ['operation'] : []), 'ttl', 'by'];
  const example = operations[0]?.id ?? '';
  return inputs.map((name) => help(`inputs.${name}`, { example })).join('\n');
}

function renderOutcome({ operations }: OperationGroup, { help, option, titles }: Language): string {
  const confirmed = operations.filter(({ confirm }) => confirm);
  if (confirmed.length === 0) return help('outcome.accepted');
  const skips = operations.some(({ options }) => options?.includes('skipUnchanged'));
  const sentences = [
    help('outcome.confirmed', { option: option('confirmWrite'), operations: titles(confirmed) }),
    skips && help('outcome.same', { option: option('skipUnchanged') }),
  ];
  return sentences.filter(Boolean).join(' ');
}

function renderRepetition({ operations }: OperationGroup, { help, titles, anyOf }: Language): string {
  if (operations.some(({ fields }) => fields.method)) return help('repetition.byMethod');
  const again = operations.filter(isIdempotent);
  const made = operations.filter((operation) => operation.composedOf && !isIdempotent(operation));
  const once = operations.filter((operation) => !operation.composedOf && !isIdempotent(operation));
  const parts = [
    once.length > 0 && help('repetition.once', { operations: anyOf(once) }),
    once.some(({ isStop }) => isStop) && help('repetition.stopsAgain'),
    made.length > 0 && help('repetition.made', { operations: titles(made) }),
    again.length > 0 && help('repetition.again', { operations: titles(again) }),
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** A GET request is always safe to repeat, even without `repeatable`. */
function isIdempotent({ repeatable, route }: Operation): boolean {
  return repeatable || route.startsWith('GET ');
}

function renderOrder({ operations }: OperationGroup, { help, titles, anyOf }: Language): string {
  const starts = operations.filter((operation) => operation.deviceOutput && !operation.isStop);
  const stops = operations.filter((operation) => operation.isStop);
  const urgent = starts.filter((operation) => operation.urgent);
  if (starts.length === 0 || stops.length === 0) return '';
  const rules = [
    help('order.ends'),
    help('order.waits'),
    ...stops.map((operation) => {
      const { when } = operation.deviceOutput ?? {};
      return when && help('order.when', { operations: titles([operation]), conditions: conditionsOf(when) });
    }),
    help('order.model'),
    urgent.length > 0 && help('order.urgent', { operations: titles(urgent) }),
  ];
  const about = help('order.output', { starts: anyOf(starts), stops: anyOf(stops) });
  return `${about}\n\n${rules.flatMap((rule) => (rule ? [`- ${rule}`] : [])).join('\n')}`;
}

function conditionsOf(when: When): string {
  return Object.entries(when)
    .map(([name, values]) => `\`${name}\` ${values.map((value) => `\`${value}\``).join(', ')}`)
    .join(', ');
}

/**
 * Renders one sentence for each consent: a required parameter with a fixed value by which the user agrees to
 * a risk. A consent is not sent to the device.
 */
function renderConsent({ operations }: OperationGroup, { help, titles }: Language): string {
  const sentences = operations.flatMap((operation) =>
    consentsOf(operation).map(([field, { enum: values = [] }]) =>
      help('consent', { field, value: values.join(), operations: titles([operation]) }),
    ),
  );
  return sentences.join(' ');
}

function consentsOf({ fields, required }: Operation): [name: string, field: Field][] {
  return Object.entries(fields).filter(([name, { sent }]) => sent === false && required.includes(name));
}

function firmwares({ operations }: OperationGroup): Placeholders {
  const entries = operations.flatMap(({ id, firmware, fields }) => [
    [`since.${id}`, firmware],
    ...Object.entries(fields).map(([name, field]) => [`since.${id}.${name}`, field.firmware ?? firmware]),
  ]);
  return Object.fromEntries(entries);
}

interface Language {
  readonly help: (key: string, words?: Readonly<Record<string, string>>) => string;
  readonly titles: (operations: readonly Operation[]) => string;
  readonly anyOf: (operations: readonly Operation[]) => string;
  readonly option: (name: Option) => string;
}

function renderDeliveryHelp({ operations }: OperationGroup, language: Language): string {
  const limits = [
    defaultSentence(operations, 'ttl', 'delivery.limit', language),
    defaultSentence(operations, 'retryFor', 'delivery.again', language),
  ];
  const ends = operations.flatMap((operation) => endSentence(operation, operations, language));
  const survives = ends.length > 0 ? [language.help('delivery.survives')] : [];
  return [limits.filter(Boolean).join(' '), [...ends, ...survives].join(' ')].filter(Boolean).join('\n\n');
}

function defaultSentence(
  operations: readonly Operation[],
  property: keyof DeliveryDefaults,
  key: string,
  { help, titles }: Language,
): string {
  const having = operations.filter((operation) => deliveryDefaultsOf(operation)[property] > 0);
  const [first] = having;
  if (!first) return '';
  return help(key, { seconds: String(deliveryDefaultsOf(first)[property]), operations: titles(having) });
}

function endSentence(
  operation: Operation,
  operations: readonly Operation[],
  { help, titles }: Language,
): string[] {
  const { autoStop } = operation;
  if (!autoStop) return [];
  const words = {
    operations: titles([operation]),
    end: titles(operations.filter(({ id }) => id === autoStop.by)),
    field: autoStop.field ?? '',
  };
  return [help(autoStop.field ? 'delivery.endsItself' : 'delivery.endedBy', words)];
}
