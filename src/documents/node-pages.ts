import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a person should know of a node before using it. */
export interface NodePage {
  /** As in `algo-<noun>`. */
  readonly noun: string;
  /** The first paragraph of its help. */
  readonly introduction: string;
  /** Names of the example flows that have it. */
  readonly examples: readonly string[];
}

/**
 * The nodes of the package, in the order of its `package.json`.
 * @param root where the package is
 * @throws Error when a node has no help
 */
export function readNodePages(root: string): readonly NodePage[] {
  const examples = readExamples(root);
  return nounsOf(root).map((noun) => ({
    noun,
    introduction: introductionIn(readFileSync(path.join(root, 'nodes', `${noun}.html`), 'utf8'), noun),
    examples: examples.filter(({ types }) => types.has(`algo-${noun}`)).map(({ name }) => name),
  }));
}

function nounsOf(root: string): string[] {
  const manifest: { 'node-red': { nodes: Readonly<Record<string, string>> } } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return Object.keys(manifest['node-red'].nodes);
}

function introductionIn(page: string, noun: string): string {
  const [, help] = page.split(`data-help-name="algo-${noun}">`);
  const [introduction] = help?.trim().split('\n\n') ?? [];
  if (!introduction) throw new Error(`nodes/${noun}.html has no help for algo-${noun}`);
  return introduction.replaceAll('\n', ' ');
}

function readExamples(root: string): { name: string; types: Set<string> }[] {
  const folder = path.join(root, 'examples');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const flow: readonly { type: string }[] = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    return { name: path.basename(file, '.json'), types: new Set(flow.map(({ type }) => type)) };
  });
}
