import type { DialogRow, NodeDialog, OperationLimits } from './dialog-rows';
import { table } from './markdown';

/** Facts about a property that `readNodeDialog` cannot find in the dialog. */
interface PropertyFacts {
  readonly type?: string | undefined;
  /** The message property that overrides the node's property, in Markdown. */
  readonly message?: string;
  /** Id of the input, if the id does not follow from the name of the property. */
  readonly input?: string;
  /** Locale key of the label, if a script makes the row and the key does not follow from the name. */
  readonly label?: string;
  /** English label, if the dialog has no label for all inputs of the property together. */
  readonly ownLabel?: string;
}

const messageParameters = 'the message property that it names, if `parametersType` is `msg`';
const messagePriority = 'the message property that it names, if `priorityType` is `msg`';

/** Names of the properties of each type whose inputs do not show it. */
const types: Readonly<Record<string, readonly string[]>> = {
  text: [
    ...['audio', 'chime', 'drillText', 'firmware', 'model', 'name', 'parameters', 'path', 'prefix', 'site'],
    ...['text', 'volumeSetting'],
  ],
  'texts, separated by commas': [
    ...['alerts', 'allow', 'devices', 'fields', 'ignore', 'knownSites', 'sites', 'tags'],
  ],
  'number, in seconds': [
    ...['acknowledgeWithin', 'clock', 'cooldown', 'endAfter', 'interval', 'retryFor', 'timeout'],
    ...['together', 'tolerance', 'ttl'],
  ],
  'number, in milliseconds': ['debounce'],
  'number, in days': ['certificateDays'],
  'number from 0 to 10': ['priority'],
  'whole number': ['maxFailures', 'maxParallel', 'misses', 'port', 'queueLimit', 'rank', 'repeat'],
  'whole number, or a share such as `20%`': ['rolling'],
  'list of ids of `algo-device`, `group:<id>` and `tag:<tag>`': ['from', 'targets'],
  'host, `host:port`, `[v6]:port` or URL': ['address'],
  'level from 0 to 10, or text such as `-12dB`': ['volume'],
  'list of `{ name, address, tags, fingerprint, model, passwordKey }`': ['rows'],
  'list of `{ operation, form }`': ['actions'],
  'object, or JSON text': ['toneParameters'],
  'SHA-256 fingerprint': ['fingerprint'],
  '`form`, `msg`, `jsonata`, `flow`, `global` or `json`': ['parametersType'],
  '`msg`, `flow`, `global` or `str`': ['audioType'],
  '`num` or `msg`': ['priorityType'],
  '`str` or `msg`': ['textType'],
  '`{ "<parameter>": { type, value } }`': ['form'],
  '`{ operation, parametersType, parameters, form }` or `{ alert, action }`': ['job'],
};

const typeByName = new Map(
  Object.entries(types).flatMap(([type, names]) => names.map((name) => [name, type])),
);

/**
 * Facts about the properties. An entry such as `drill` applies to all nodes with this property. An entry
 * with the name of a node, such as `remote.devices`, applies to this node only and overrides parts of the
 * entry for all nodes.
 */
const facts: Readonly<Record<string, PropertyFacts>> = {
  audio: { message: '`msg.payload`, by default' },
  audioType: { label: 'label.audio' },
  drill: { message: '`msg.drill`' },
  form: {
    ownLabel: 'Fields of the parameters',
    message: 'for a value of the type `msg`: the message property that `value` names',
  },
  from: { input: 'algo-webhook-callers' },
  interval: { message: '`msg.interval`, until the next deploy' },
  job: {
    input: 'algo-remote-job-text',
    message: '`msg.operation`, if the operation is `<resource>/msg`',
  },
  operation: { message: '`msg.operation`, if `operation` is `msg`' },
  parameters: { message: messageParameters },
  parametersType: { label: 'form.parameters' },
  priority: { message: messagePriority },
  priorityType: { label: 'form.priority' },
  rowPassword: { label: 'rows.password' },
  sites: { message: '`msg.site`, if empty' },
  target: { message: '`msg.device`, if `target` is `msg`' },
  targets: { label: 'several.label' },
  text: { message: 'the message property that it names, if `textType` is `msg`' },
  textType: { label: 'label.text' },
  ttl: { message: '`msg.ttl`' },
  'announce.interval': { message: '' },
  'group.devices': { input: 'algo-group-search' },
  'remote.devices': { message: '`msg.device`, if empty' },
  'supervision.files': { type: 'list of paths and of `{ path, md5 }`' },
  'supervision.interval': { message: '' },
  'supervision.settings': { type: '`{ "<setting>": <expected value> }`' },
  'supervision.target': { message: '' },
  'virtual.parametersType': { type: '`msg`, `json`, `jsonata`, `flow` or `global`' },
};

const head = ['Label', 'Property', 'Type', 'Default', 'Overridden by', 'Description'];

/**
 * Returns a Markdown table of a node's properties and credentials, with the texts of its dialog.
 * @throws Error for a property without a label or a type, so that the table is complete
 */
export function propertiesTable(resource: string, dialog: NodeDialog): string {
  const { defaults, credentials } = dialog;
  const isRowPassword = (name: string) => /^rowPassword\d+$/.test(name);
  const properties = Object.keys(defaults).map((name) => propertyRow(resource, name, dialog));
  const secrets = credentials
    .filter((name) => !isRowPassword(name))
    .map((name) => credentialRow(`\`${name}\``, shownRow(resource, name, dialog)));
  const ofRows = credentials.some(isRowPassword)
    ? [credentialRow('`rowPassword<passwordKey>`', shownRow(resource, 'rowPassword', dialog))]
    : [];
  return table(head, [...properties, ...secrets, ...ofRows]);
}

type ShownRow = Pick<DialogRow, 'label' | 'hints'> & Partial<DialogRow>;

function propertyRow(resource: string, name: string, dialog: NodeDialog): string[] {
  const row = shownRow(resource, name, dialog);
  return [
    row.label,
    `\`${name}\``,
    typeOf(resource, name, row, dialog),
    defaultOf(name, row, dialog),
    messageOf(resource, name, row),
    isHidden(name, dialog)
      ? `Not in the dialog, since ${name === 'endAfter' ? 'no operation of this node can be stopped' : 'no alert holds an operation of this node back'}.`
      : row.hints.join(' '),
  ];
}

/** A message cannot override a property whose select has no option `msg`. */
function messageOf(resource: string, name: string, { kind, values = [] }: ShownRow): string {
  const { message = '' } = factsOf(resource, name);
  return kind === 'select' && !values.includes('msg') ? '' : message;
}

/**
 * Whether the dialog has no row for a property: `endAfter` of a node whose operations support no auto-stop,
 * and `duringAlert` of a node whose operations no alert holds back.
 */
function isHidden(name: string, { limits }: NodeDialog): boolean {
  const operations = Object.values(limits);
  if (operations.length === 0) return false;
  if (name === 'endAfter') return operations.every(({ end }) => end === undefined);
  return name === 'duringAlert' && operations.every(({ held }) => held === undefined);
}

function credentialRow(property: string, { label, placeholder, hints }: ShownRow): string[] {
  return [label, property, 'credential', placeholder ? `\`${placeholder}\`` : '', '', hints.join(' ')];
}

function factsOf(resource: string, name: string): PropertyFacts {
  return { type: typeByName.get(name), ...facts[name], ...facts[`${resource}.${name}`] };
}

function shownRow(resource: string, name: string, { rowOf, words }: NodeDialog): ShownRow {
  const { input, label = `label.${name}`, ownLabel } = factsOf(resource, name);
  const ids = ['node-input', 'node-config-input', 'algo-option', 'algo-delivery'].map(
    (id) => `${id}-${name}`,
  );
  for (const id of input === undefined ? ids : [input]) {
    const row = rowOf(id);
    if (row) return row;
  }
  const found = ownLabel ?? words(label);
  if (found === undefined) throw new Error(`The dialog of algo-${resource} has no label for ${name}`);
  const hint = words(`help.${name}`);
  return { label: found, hints: hint === undefined ? [] : [hint] };
}

function typeOf(
  resource: string,
  name: string,
  { kind, values = [] }: ShownRow,
  { defaults }: NodeDialog,
): string {
  const { type: known } = factsOf(resource, name);
  const { type: ofNode } = defaults[name] ?? {};
  // `targets` has a node type so that core updates the ids, but `targets` also contains groups and tags.
  if (ofNode !== undefined && name !== 'targets')
    return ofNode.endsWith('[]') ? `ids of \`${ofNode.slice(0, -2)}\`` : `id of \`${ofNode}\``;
  if (kind === 'checkbox') return 'boolean';
  if (kind === 'select' && known === undefined) {
    // A script adds the value `several`, which is not in the page's HTML.
    const isSeveral = name === 'target' && defaults.targets !== undefined;
    const all = isSeveral ? [...values.slice(0, -1), 'several', ...values.slice(-1)] : values;
    return inWords(all.map((value) => `\`${value}\``));
  }
  if (known === undefined) throw new Error(`The type of ${name} of algo-${resource} is not known`);
  return known;
}

function defaultOf(name: string, { placeholder }: ShownRow, { defaults, limits }: NodeDialog): string {
  const { value } = defaults[name] ?? {};
  const isLimit = name === 'ttl' || name === 'retryFor';
  if (isLimit && Object.keys(limits).length > 0) return limitInWords(name, limits);
  if (value !== '') return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  return placeholder === undefined ? '' : `\`${placeholder}\``;
}

function limitInWords(name: 'ttl' | 'retryFor', limits: Readonly<Record<string, OperationLimits>>): string {
  const having = Object.entries(limits).filter(([, limit]) => limit[name] > 0);
  const [first] = having;
  if (!first) return '`0`';
  const some = `\`${first[1][name]}\``;
  if (having.length === Object.keys(limits).length) return some;
  const named = inWords(
    having.map(([id]) => `\`${id}\``),
    'conjunction',
  );
  return `${some} for ${named}; otherwise \`0\``;
}

/** Lists texts without a comma before the last word, as British English does. */
function inWords(parts: readonly string[], type: 'conjunction' | 'disjunction' = 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(parts);
}
