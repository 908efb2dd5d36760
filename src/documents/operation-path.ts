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
  readonly suffix: string;
  readonly note: string;
}

type Segments = Pick<OperationPath, 'suffix' | 'note'> & { readonly names: readonly string[] };

/**
 * Forms of a path in the file manager, as folder, subfolder and file (section 4.3). One parameter for the
 * whole path would fail: a generated client percent-encodes the slashes.
 */
const segmentsOf: Readonly<Partial<Record<Format, readonly Segments[]>>> = {
  'folder-path': [{ names: ['filepath'], suffix: '', note: '' }],
  'file-path': [
    { names: ['filepath', 'filename'], suffix: '', note: '' },
    {
      names: ['filepath', 'subfolder', 'filename'],
      suffix: '-subfolder',
      note: ' Here for a folder within a folder; deeper ones go on in the same way.',
    },
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
export function operationPaths(operation: Operation): readonly OperationPath[] {
  const [method = '', url = ''] = operation.route.split(' ');
  const [path = '', query = ''] = url.split('?');
  const inQuery = namesIn(query).flatMap((name) => parameterOf(operation, name, 'query'));
  return formsOf(operation, path).map(({ parameters, ...form }) => ({
    ...form,
    method: method.toLowerCase(),
    parameters: [...parameters, ...inQuery],
  }));
}

function formsOf(operation: Operation, path: string): Omit<OperationPath, 'method'>[] {
  const names = namesIn(path);
  const [forms] = names.flatMap((name) => {
    const format = operation.fields[name]?.format;
    const found = format && segmentsOf[format];
    return found ? [found.map((form) => ({ ...form, path: withSegments(path, name, form.names) }))] : [];
  });
  if (forms)
    return forms.map(({ names: own, ...form }) => ({ ...form, parameters: own.map(segmentParameter) }));
  const parameters = names.flatMap((name) => parameterOf(operation, name, 'path'));
  return [{ path, parameters, suffix: '', note: '' }];
}

function withSegments(path: string, name: string, own: readonly string[]): string {
  return path.replace(`{${name}}`, own.map((segment) => `{${segment}}`).join('/'));
}

export function routeFields({ route }: Operation): readonly string[] {
  return namesIn(route);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function parameterOf({ fields, required }: Operation, name: string, place: Parameter['in']): Parameter[] {
  const field = fields[name];
  if (!field) return [];
  const { description } = field;
  return [{ name, in: place, required: required.includes(name), description, schema: fieldSchema(field) }];
}

function segmentParameter(name: string): Parameter {
  const { description = '', example } = segments[name] ?? {};
  const schema = { type: 'string', pattern: '^(?!\\.{1,2}$)[^/]+$', examples: [example] };
  return { name, in: 'path', required: true, description, schema };
}
