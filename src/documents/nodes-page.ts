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

function readExamples(root: string): { name: string; types: Set<string> }[] {
  const folder = path.join(root, 'examples');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const flow: readonly { type: string }[] = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return { name: path.basename(file, '.json'), types: new Set(flow.map(({ type }) => type)) };
  });
}

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
devices and works as it is. [Every operation](operations.md) lists the operations of each node.

${table(['Node', 'Function', 'Examples'], rows)}
`;
}

function nodeLink(resource: string): string {
  return `[\`algo-${resource}\`](nodes/algo-${resource}.md)`;
}

function exampleLink(name: string, root: string): string {
  return `[${name}](${root}/examples/${encodeURIComponent(`${name}.json`)})`;
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
