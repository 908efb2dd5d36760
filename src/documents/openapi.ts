import { catalogue } from '../catalogue';
import type { Field, Operation, Shape } from '../catalogue/operation';
import type { Schema } from '../catalogue/schema';
import { extensions } from './extensions';
import { bodySchema, fieldSchema } from './json-schema';

/** A document, or a part of one, as it is written to a file. */
export type Json = Readonly<Record<string, unknown>>;

/** A parameter of a path or a query, as OpenAPI writes it. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** One method of one path: what OpenAPI calls an operation. */
interface Entry {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Json;
  readonly responses: Json;
  readonly extensions: Json;
}

const answers: Readonly<Record<Operation['answer'], Json>> = {
  none: {},
  json: { 'application/json': { schema: {} } },
  text: { 'text/plain': { schema: { type: 'string' } } },
  file: { 'application/octet-stream': { schema: { contentMediaType: 'application/octet-stream' } } },
};

/** The text of `openapi.json`. */
export function openApiFile(version: string): string {
  return `${JSON.stringify(openApi(version), null, 2)}\n`;
}

/** The whole interface as an OpenAPI 3.1 document. */
export function openApi(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Algo IP endpoints',
      version,
      description:
        'The REST control interface of network paging, audio, visual-alert, display, door-control and console endpoints.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'https://{address}',
        description: 'The device.',
        variables: { address: { default: '192.0.2.1', description: 'Address of the device.' } },
      },
    ],
    security: [{ standard: [] }, { basic: [] }, {}],
    tags: catalogue.map(({ noun }) => ({ name: noun })),
    paths: paths(),
    components: { securitySchemes },
  };
}

const securitySchemes: Json = {
  standard: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`hmac admin:<nonce>:<digest>`, the digest being the lowercase hex HMAC-SHA-256, with the password as key, of `<method>:<uri>:<content_md5>:<content_type>:<timestamp>:<nonce>`, or without a body and for multipart of `<method>:<uri>:<timestamp>:<nonce>`. The headers Date and, with a body, Content-MD5 (hex) go with it.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The user is `admin`. Over HTTPS only.' },
};

function paths(): Json {
  const all: Record<string, Record<string, Entry>> = {};
  for (const group of catalogue) {
    for (const operation of group.operations as readonly Operation[]) {
      const { method, path } = partsOf(operation);
      const methods = all[path] ?? {};
      const known = methods[method];
      const entry = entryOf(group.noun, operation);
      methods[method] = known ? merged(known, entry) : entry;
      all[path] = methods;
    }
  }
  return mapValues(all, (methods) => mapValues(methods, written));
}

function partsOf({ route }: Operation): { method: string; path: string; query: string } {
  const [method = '', url = ''] = route.split(' ');
  const [path = '', query = ''] = url.split('?');
  return { method: method.toLowerCase(), path, query };
}

function entryOf(noun: string, operation: Operation): Entry {
  const { id, title, description, section, answer, repeatable } = operation;
  const requestBody = requestBodyOf(operation);
  const content = answers[answer];
  return {
    operationId: `${noun}-${id}`,
    tags: [noun],
    summary: title,
    description,
    parameters: parametersOf(operation),
    ...(requestBody && { requestBody }),
    responses: {
      '2XX': { description: 'Done.', ...(Object.keys(content).length > 0 && { content }) },
      default: { description: 'Not done.' },
    },
    extensions: { 'x-section': section, ...extensions(operation), 'x-repeatable': repeatable },
  };
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function parametersOf(operation: Operation): Parameter[] {
  const { path, query } = partsOf(operation);
  const inPath = new Set(namesIn(path));
  return namesIn(`${path}?${query}`).flatMap((name) => {
    const field = operation.fields[name];
    if (!field) return [];
    const place = inPath.has(name) ? 'path' : 'query';
    const required = operation.required.includes(name);
    return [{ name, in: place, required, description: field.description, schema: fieldSchema(field) }];
  });
}

function requestBodyOf(operation: Operation): Json | undefined {
  const placed = namesIn(operation.route);
  const inBody = (name: string, field: Field) => !placed.includes(name) && field.sent !== false;
  if (operation.body === 'raw') return { required: true, content: answers.file };
  if (operation.body === 'audio') return { required: true, content: audioContent(operation) };
  const shapes: readonly Shape[] = operation.variants ?? [operation];
  const schemas = shapes.map((shape) => bodySchema(shape, inBody));
  const [schema, ...more] = schemas;
  const isEmpty = Object.keys(schema?.properties ?? {}).length === 0 && !operation.others;
  if (!schema || isEmpty) return undefined;
  const required = operation.required.length > 0 || more.length > 0 || (operation.atLeast ?? 0) > 0;
  const content = { 'application/json': { schema: more.length > 0 ? { anyOf: schemas } : schema } };
  return { required, content };
}

/** 4.5.2: the sound alone, or with its data in a form. */
function audioContent(operation: Operation): Json {
  const sound = { schema: { contentMediaType: 'application/octet-stream' } };
  const data = bodySchema(operation, (name) => name !== 'content');
  return {
    'audio/wav': sound,
    'audio/mpeg': sound,
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { tone: sound.schema, data },
        required: ['tone'],
      },
      encoding: { tone: { contentType: 'audio/wav, audio/mpeg' }, data: { contentType: 'application/json' } },
    },
  };
}

/** Two operations that are one to OpenAPI: only what is in the path or the query tells them apart. */
function merged(one: Entry, other: Entry): Entry {
  const parameters = [...one.parameters, ...other.parameters].filter(
    ({ name }, index, all) => all.findIndex((parameter) => parameter.name === name) === index,
  );
  return {
    ...one,
    summary: `${one.summary}; ${other.summary}`,
    description: `${one.description} ${other.description}`,
    parameters: parameters.map((parameter) => ({
      ...parameter,
      required: [one, other].every((entry) =>
        entry.parameters.some(({ name, required }) => name === parameter.name && required),
      ),
    })),
    responses: {
      ...one.responses,
      '2XX': { description: 'Done.', content: { ...contentOf(one), ...contentOf(other) } },
    },
  };
}

function contentOf({ responses }: Entry): Json {
  return (responses['2XX'] as { content?: Json } | undefined)?.content ?? {};
}

function written({ parameters, extensions: own, ...entry }: Entry): Json {
  return { ...entry, ...(parameters.length > 0 && { parameters }), ...own };
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
