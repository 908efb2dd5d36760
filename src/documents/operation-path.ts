import type { Format, Operation } from '../catalogue/operation';
import type { Schema } from '../catalogue/schema';
import { fieldSchema } from './json-schema';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface OperationPath {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Whether the path is that of a file in a folder within a folder. */
  readonly isDeep: boolean;
}

/**
 * Forms of a path in the file manager, as folder, subfolder and file (section 4.3). One parameter for the
 * whole path would fail: a generated client percent-encodes the slashes.
 */
const segmentsOf: Readonly<Partial<Record<Format, readonly (readonly string[])[]>>> = {
  'folder-path': [['filepath']],
  'file-path': [
    ['filepath', 'filename'],
    ['filepath', 'subfolder', 'filename'],
  ],
};

const segments: Readonly<Record<string, { readonly description: string; readonly example: string }>> = {
  filepath: { description: 'Folder in the file manager.', example: 'tones' },
  subfolder: { description: 'Folder within the folder.', example: 'bells' },
  filename: { description: 'Name of the file, with its extension.', example: 'chime.wav' },
};

/**
 * Returns the paths of an operation. An operation whose route contains the path of a file has two paths: for
 * a file in a folder, and for a file in a subfolder.
 */
export function operationPaths({ route, fields, required }: Operation): readonly OperationPath[] {
  const [method = '', path = '', query = ''] = route.split(/[ ?]/);
  const parametersOf = (text: string, place: Parameter['in']) =>
    namesIn(text).flatMap((name): Parameter[] => {
      const field = fields[name];
      if (!field) return [];
      const { description } = field;
      const schema = fieldSchema(field);
      return [{ name, in: place, required: required.includes(name), description, schema }];
    });
  const [whole = ''] = namesIn(path);
  const format = fields[whole]?.format;
  const forms = (format && segmentsOf[format]) ?? [undefined];
  return forms.map((names) => ({
    method: method.toLowerCase(),
    path: names ? path.replace(`{${whole}}`, names.map((name) => `{${name}}`).join('/')) : path,
    parameters: [
      ...(names?.map(segmentParameter) ?? parametersOf(path, 'path')),
      ...parametersOf(query, 'query'),
    ],
    isDeep: names?.includes('subfolder') === true,
  }));
}

export function routeFields({ route }: Operation): readonly string[] {
  return namesIn(route);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function segmentParameter(name: string): Parameter {
  const { description = '', example } = segments[name] ?? {};
  const schema = { type: 'string', pattern: '^(?!\\.{1,2}$)[^/]+$', examples: [example] };
  return { name, in: 'path', required: true, description, schema };
}
