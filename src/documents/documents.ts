import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nodePage, nodesPage, readNodePages } from './nodes-page';
import { openApi } from './openapi';
import { operationsPage } from './operations-page';

/**
 * Returns the generated documents, keyed by path within the package.
 * @param root folder of the package, after a build
 */
export function documents(root: string): Readonly<Record<string, string>> {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const pages = readNodePages(root);
  const introductions = Object.fromEntries(
    pages.map(({ resource, introduction }) => [resource, introduction]),
  );
  return {
    'openapi.json': `${JSON.stringify(openApi(version, introductions), null, 2)}\n`,
    'docs/operations.md': operationsPage(),
    'docs/nodes.md': nodesPage(pages),
    ...Object.fromEntries(pages.map((page) => [`docs/nodes/algo-${page.resource}.md`, nodePage(page)])),
  };
}
