import { catalogue } from '../catalogue';
import { table } from './markdown';
import type { NodePage } from './node-pages';

/** Configuration nodes are in nearly every example; so many are not worth naming. */
const mostExamples = 5;

/** `docs/nodes.md`: every node, what it does, and the examples that show it. */
export function nodesPage(pages: readonly NodePage[]): string {
  const rows = pages.map(({ noun, introduction, examples }) => [
    nodeLink(noun),
    introduction,
    examples.length > mostExamples ? `${examples.length} of them` : examples.map(exampleLink).join('<br>'),
  ]);
  return `# Every node

<!-- Written by \`npm run documents\` from the help pages of the nodes; change it there. -->

Each is in an example: menu, Import, Examples, \`@openpaging/node-red-algo\`. Every example brings its virtual
devices and works as it is. What each node is told to do is listed under [Every operation](operations.md).

${table(['Node', 'What it does', 'Examples'], rows)}
`;
}

function nodeLink(noun: string): string {
  const name = `\`algo-${noun}\``;
  const hasOperations = catalogue.some((group) => group.noun === noun);
  return hasOperations ? `[${name}](operations.md#algo-${noun})` : name;
}

function exampleLink(name: string): string {
  return `[${name}](../examples/${encodeURIComponent(`${name}.json`)})`;
}
