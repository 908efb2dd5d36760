import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue } from '../catalogue';
import { readNodeDialog } from './dialog-rows';
import { table } from './markdown';
import { propertiesTable } from './properties-table';

/** Maximum number of links in a table row. For a node in more examples, the row has only their number. */
const maxExamples = 5;

export interface NodePage {
  /** The name of the node without `algo-`. */
  readonly resource: string;
  readonly introduction: string;
  /** The sections of the help after the introduction, in Markdown. */
  readonly help: string;
  readonly examples: readonly string[];
  readonly properties: string;
}

/**
 * Reads the nodes of the package in the order of its `package.json`.
 * @param root folder of the package, after a build
 * @throws Error if a node has no help, or a property no label or no type
 */
export function readNodePages(root: string): readonly NodePage[] {
  const examples = readExamples(root);
  return resourcesIn(root).map((resource) => ({
    resource,
    ...helpIn(root, resource),
    examples: examples.filter(({ types }) => types.has(`algo-${resource}`)).map(({ name }) => name),
    properties: propertiesTable(resource, readNodeDialog(root, resource)),
  }));
}

function resourcesIn(root: string): string[] {
  const manifest: { 'node-red': { nodes: Readonly<Record<string, string>> } } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return Object.keys(manifest['node-red'].nodes);
}

/** Reads the help that the build has made for the editor. */
function helpIn(root: string, resource: string): Pick<NodePage, 'introduction' | 'help'> {
  const file = path.join(root, 'dist', 'nodes', 'locales', 'en-US', `${resource}.html`);
  const [, page] = readFileSync(file, 'utf8').split(`data-help-name="algo-${resource}">`);
  const [introduction, ...others] =
    page
      ?.replace(/<\/script>.*/s, '')
      .trim()
      .split('\n\n') ?? [];
  if (!introduction) throw new Error(`nodes/${resource}.html has no help for algo-${resource}`);
  const sections = others.join('\n\n').split(/\n*### References/)[0] ?? '';
  return { introduction: introduction.replaceAll('\n', ' '), help: plainMarkdown(sections) };
}

/**
 * Converts the Markdown of Node-RED's help, in which a line that begins with a colon describes a property:
 * `: name (type) : meaning`, with a name in italics if the property is optional.
 */
function plainMarkdown(help: string): string {
  let indent = '';
  return help
    .split('\n')
    .map((line) => {
      if (/^\d+\. /.test(line)) indent = '   ';
      else if (!line.startsWith(': ')) indent = line === '' ? '' : indent;
      const [, mark = '', name = '', type = '', meaning = ''] =
        /^: (\*?)(.+?)\1 \(([^)]*)\) : (.*)$/.exec(line) ?? [];
      if (name === '') return line.replace(/^##(?=#+ )/, '#');
      return `${indent}- \`${name}\` (${type}${mark === '' ? '' : ', optional'}): ${meaning}`;
    })
    .join('\n')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

/** The examples in the order of the menu; a name is a path in `examples`, without the ending. */
function readExamples(root: string): { name: string; types: Set<string> }[] {
  const folder = path.join(root, 'examples');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const flows = files.filter((file) => file.endsWith('.json')).map((file) => file.split(path.sep).join('/'));
  return flows.sort().map((file) => {
    const flow: readonly { type: string }[] = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return { name: file.replace(/\.json$/, ''), types: new Set(flow.map(({ type }) => type)) };
  });
}

/** The tasks for which two nodes, or two operations of a node, look alike. */
const choices: readonly (readonly [task: string, choice: string, other: string])[] = [
  [
    'Start light, sound and text at many devices with one message, and stop exactly these with another one',
    nodeLink('alert'),
    `${nodeLink('emergency')} starts one of the ten emergency alerts that were set up on the device itself`,
  ],
  [
    'Say something or play recordings one after the other, at a volume of their own',
    nodeLink('announce'),
    `${nodeLink('tone')} plays one tone right away and changes nothing else`,
  ],
  [
    'Silence the bells of a day that stays in the calendar, such as a snow day',
    `${nodeLink('scheduler')}, _Skip days_`,
    '_Exclude days_ takes the bells of these days out of the calendar, such as holidays',
  ],
  [
    'See the bells that will ring on each day',
    `${nodeLink('scheduler')}, _Preview schedule_`,
    '_Read whole schedule_ returns the rules as they are stored, _Read date range_ the events of each day',
  ],
  [
    'Get a message when a value of a device changes',
    nodeLink('status'),
    `${nodeLink('supervision')} reports what a person should look at: offline, a wrong clock, firmware or setting`,
  ],
  [
    'Press a button of an 8450 console, or stop what it started',
    nodeLink('console'),
    `${nodeLink('console-events')} sends a message when a person presses one`,
  ],
  [
    'Record every result, also each success',
    nodeLink('receipts'),
    'a **catch** node gets the failures of its flow, with the message that failed',
  ],
];

export function nodesPage(pages: readonly NodePage[]): string {
  const rows = pages.map(({ resource, introduction, examples }) => [
    nodeLink(resource),
    introduction,
    examples.length > maxExamples
      ? `${examples.length} of them`
      : examples.map((name) => exampleLink(name, '..')).join('<br>'),
  ]);
  return `# Every node

<!-- Written by \`npm run documents\` from the help pages of the nodes; change it there. -->

Each is in an example: menu, Import, Examples, \`@openpaging/node-red-algo\`. Every example brings its virtual
devices and works as it is. Examples share devices of one name. If Node-RED says that some nodes already exist, choose
_Import copy_: the flow is imported, and your devices stay as they are. [Every operation](operations.md) lists the operations of each node.

${table(['Node', 'Function', 'Examples'], rows)}

## Which node?

${table(
  ['Task', 'Node', 'Looks alike'],
  choices.map((row) => [...row]),
)}
`;
}

function nodeLink(resource: string): string {
  return `[\`algo-${resource}\`](nodes/algo-${resource}.md)`;
}

function exampleLink(name: string, root: string): string {
  const place = `${name}.json`.split('/').map(encodeURIComponent).join('/');
  return `[${path.posix.basename(name)}](${root}/examples/${place})`;
}

/**
 * Anchor of a node's rules in `docs/contract.md`, keyed by resource. The rules of any other node are in
 * section 2.2.
 */
const rules: Readonly<Record<string, string>> = {
  device: '21-configuration-nodes',
  group: '25-groups-and-delivery',
  'virtual-device': '24-the-virtual-device',
  virtual: '24-the-virtual-device',
  status: '23-watching-nodes',
  'relay-input': '23-watching-nodes',
  'console-events': '23-watching-nodes',
  receipts: 'all-receipts',
  alert: '26-alerts',
  scheduler: '27-bells',
  remote: '28-many-sites',
  site: '28-many-sites',
  webhook: '29-requests-from-devices',
  supervision: '210-supervision',
  announce: '211-announcements',
};

export function nodePage({ resource, introduction, help, examples, properties }: NodePage): string {
  const hasOperations = catalogue.some((group) => group.resource === resource);
  const links = [
    '[All nodes](../nodes.md)',
    ...(hasOperations ? [`[operations](../operations.md#algo-${resource})`] : []),
    `[rules](../contract.md#${rules[resource] ?? '22-action-nodes'})`,
    '[errors](../errors.md)',
  ];
  return `# algo-${resource}

<!-- Written by \`npm run documents\` from the dialog and the help of the node; change it there. -->

${introduction}

${links.join(' · ')}

## Properties

A flow stores each value under the name of its property. If a value is
\`\${NAME}\` and nothing else, Node-RED replaces it with the value of the environment variable \`NAME\`.

${properties}

${help}

## Examples

${examples.map((name) => `- ${exampleLink(name, '../..')}`).join('\n')}
`;
}
