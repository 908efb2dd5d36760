import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One text that people read, and its place in its file, for example a key or a line. */
export interface ReadText {
  readonly place: string;
  readonly text: string;
}

/** Parts of a text that are no words: code, values and addresses. */
const code = /```[\s\S]*?```|`[^`]*`|^ {4}.*$|__\w+__|\{\{[\w.-]+\}\}|\{\w+\}|https?:\/\/\S+|\]\([^)]*\)/gm;

/** Words that have a plainer or a standard one (docs/glossary.md). */
const unwanted = [
  ['deed', /\bdeeds?\b/i],
  ['rehearsal', /\brehears/i],
  ['owed', /\bowed\b/i],
  ['noun', /\bnouns?\b/i],
  ['severity', /\bseverit(?:y|ies)\b/i],
  ['anew', /\banew\b/i],
  ['surely', /\bsurely\b/i],
  ['somebody', /\b(?:some|no|every)body\b/i],
  ['so many', /\bso many\b/i],
  ['at once', /\bat once\b/i],
  ['beside', /\bbesides?\b/i],
  ['in the place of', /\bin (?:the|its) place of\b/i],
  ['mend', /\bmend(?:s|ed|ing)?\b/i],
  ['tick', /\btick(?:s|ed|ing)?\b/i],
  ['lets you in', /\blets? (?:you|people|in)\b|\bbe let in\b/i],
  ['says yes', /\b(?:says?|said|saying) (?:yes|no)\b/i],
  ['unless given', /\bunless given\b/i],
  ['take away', /\b(?:takes?|taken|took) away\b/i],
  ['fill in again', /\bfill(?:s|ed)? in again\b/i],
  ['goes before', /\b(?:goes|go|went) before\b/i],
  ['comes about', /\b(?:came|comes) about\b/i],
  ['an answer that is none', /\bthat (?:is|are) none\b/i],
] as const;

/** How a sentence, a heading, a label or a comment must not begin: it needs a subject. */
const headlessText = /^[*_\s]*(?:what|who|whoever|whose|so many|of)\b/i;
const headlessSentence = /(?<=[.!?:;]["”)*_]* +|^[-*_#>|\d.\s]+)(?:What|Who|Whoever|So many|Of)\b/m;

/** A message in the Common Alerting Protocol, or code that reads one: it has a severity of its own. */
const commonAlert = /\b(?:messageType|msgType)\b[\s\S]*\b(?:Extreme|Severe|Moderate|Minor)\b/;

/** Names what is not plain in a text; empty when all is. */
export function unplainIn(text: string): string[] {
  const words = text.replace(code, 'x');
  const isExempt = (name: string) => name === 'severity' && commonAlert.test(text);
  const found = unwanted.flatMap(([name, expression]) =>
    expression.test(words) && !isExempt(name) ? [name] : [],
  );
  const begins = headlessText.exec(words) ?? headlessSentence.exec(words);
  return begins ? [...found, `begins with ${begins[0].trim()}`] : found;
}

function* jsonTexts(value: unknown, place = ''): Generator<ReadText> {
  if (typeof value === 'string') yield { place, text: value };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* jsonTexts(inner, place ? `${place}.${key}` : key);
}

/** The names and descriptions in an exported flow. Identifiers have no blanks. */
function flowTexts(file: string): ReadText[] {
  return [...jsonTexts(JSON.parse(read(file)))].filter(({ text }) => text.includes(' '));
}

function* paragraphs(text: string): Generator<ReadText> {
  let line = 1;
  for (const paragraph of text.split(/\n(?=\s*\n|[-*#|:] ?|\d+\. )/)) {
    yield { place: `line ${line}`, text: paragraph.trim() };
    line += paragraph.split('\n').length;
  }
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
}

function lineOf(source: ts.SourceFile, position: number): string {
  return `line ${source.getLineAndCharacterOfPosition(position).line + 1}`;
}

/** The comments of a source. */
function* commentsOf(file: string): Generator<ReadText> {
  const source = parsed(file);
  const spans = new Map<number, number>();
  const visit = (node: ts.Node) => {
    const leading = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? [];
    for (const { pos, end } of [...leading, ...trailing]) spans.set(pos, end);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [from, to] of spans) {
    const text = source.text
      .slice(from, to)
      .replace(/^\/\*\*?|\*\/$|^\/\/ ?/g, '')
      .replace(/^\s*\* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (!text.startsWith('biome-ignore')) yield { place: lineOf(source, from), text };
  }
}

/** The string literals of a source that have several words. */
function stringsOf(file: string): ReadText[] {
  const source = parsed(file);
  const found: ReadText[] = [];
  const visit = (node: ts.Node) => {
    const isWhole = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    if ((isWhole || isPart) && /[a-z] [a-z]/.test(node.text)) {
      // A part of a template does not begin a sentence.
      const text = isPart ? `x${node.text}` : node.text;
      found.push({ place: lineOf(source, node.getStart()), text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function filesIn(folder: string, end: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => end.test(file))
    .map((file) => path.join(folder, file))
    .sort();
}

const read = (file: string) => readFileSync(file, 'utf8');

/** The files with texts for users and contributors, and how each is read. */
export function readable(): Map<string, () => Iterable<ReadText>> {
  const all = new Map<string, () => Iterable<ReadText>>();
  for (const file of filesIn('locales/en-US', /\.json$/))
    all.set(file, () => jsonTexts(JSON.parse(read(file))));
  for (const file of [...filesIn('examples', /\.json$/), ...filesIn('scripts/demo', /\.json$/)])
    all.set(file, () => flowTexts(file));
  for (const file of filesIn('nodes', /\.html$/)) {
    all.set(file, () => paragraphs(read(file).split('<script type="text/markdown"')[1] ?? ''));
  }
  const pages = readdirSync('.').filter((file) => file.endsWith('.md'));
  for (const file of [...pages, ...filesIn('docs', /\.md$/)]) all.set(file, () => paragraphs(read(file)));
  for (const file of filesIn('src', /\.ts$/)) all.set(file, () => stringsOf(file));
  return all;
}

/** The sources, read for their comments. */
export function commented(): Map<string, () => Iterable<ReadText>> {
  const files = [...filesIn('src', /\.ts$/), ...filesIn('nodes', /\.ts$/)];
  return new Map(files.map((file) => [file, () => commentsOf(file)]));
}
