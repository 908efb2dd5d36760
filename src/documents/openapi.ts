import { catalogue } from '../catalogue';
import type { Field, Operation, Shape } from '../catalogue/operation';
import type { Schema } from '../catalogue/schema';
import { answers, records } from './answers';
import { extensions } from './extensions';
import { binary, bodySchema, color, mapValues } from './json-schema';
import { type OperationPath, operationPaths, type Parameter, routeFields } from './operation-path';
import { effectOnWire } from './wire-words';

export type Json = Readonly<Record<string, unknown>>;

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Entry {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Json;
  readonly answer: Content;
  readonly extensions: Json;
}

/** @param introductions purpose of each node, keyed by resource */
export function openApi(version: string, introductions: Readonly<Record<string, string>>): Json {
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
        description: 'The device at this address.',
        variables: { address: { default: '192.0.2.1' } },
      },
    ],
    security: [{ standard: [] }, { basic: [] }, {}],
    tags: catalogue.map(({ resource }) => ({
      name: resource,
      description: effectOnWire(resource, introductions[resource] ?? ''),
    })),
    paths: paths(),
    components: { securitySchemes, schemas: { Color: color, ...records }, responses: refusals },
  };
}

const securitySchemes: Json = {
  standard: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`hmac admin:<nonce>:<digest>`, the digest being the lowercase hex HMAC-SHA-256, with the password as key, of `<method>:<uri>:<content_md5>:<content_type>:<timestamp>:<nonce>`, or without a body and for multipart of `<method>:<uri>:<timestamp>:<nonce>`. The timestamp is that of the Date header, in seconds since 1970. The headers Date and, with a body, Content-MD5 (hex) go with it.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'The user is `admin`. Over HTTPS only.' },
};

const refusals: Json = {
  Refused: {
    description:
      'Refused: not authenticated, the API is off, a wrong parameter, or nothing that this model or firmware has. The content of the body is not documented.',
  },
  NotDone: { description: 'Not done.' },
};

function paths(): Json {
  const all: Record<string, Record<string, Entry>> = {};
  for (const { resource, operations } of catalogue) {
    for (const operation of operations as readonly Operation[]) {
      for (const place of operationPaths(operation)) {
        const methods = all[place.path] ?? {};
        const known = methods[place.method];
        const entry = entryOf(resource, operation, place);
        methods[place.method] = known ? merged(known, entry) : entry;
        all[place.path] = methods;
      }
    }
  }
  return mapValues(all, (methods) => mapValues(methods, written));
}

function entryOf(resource: string, operation: Operation, { parameters, suffix, note }: OperationPath): Entry {
  const { id, title, description, section, repeatable } = operation;
  const requestBody = requestBodyOf(operation);
  return {
    operationId: `${resource}-${id}${suffix}`,
    tags: [resource],
    summary: title,
    description: `${effectOnWire(`${resource}/${id}`, description)}${note}`,
    parameters,
    ...(requestBody && { requestBody }),
    answer: answerOf(`${resource}/${id}`, operation),
    extensions: { 'x-section': section, ...extensions(operation), 'x-repeatable': repeatable },
  };
}

function answerOf(name: string, { answer }: Operation): Content {
  const schema = answers[name];
  const json: Content = schema ? { 'application/json': { schema } } : {};
  const contents: Readonly<Record<Operation['answer'], Content>> = {
    none: {},
    json: { 'application/json': { schema: {} }, ...json },
    text: { 'text/plain': { schema: schema ?? { type: 'string' } } },
    file: { ...file, ...json },
  };
  return contents[answer];
}

const file: Content = { 'application/octet-stream': { schema: binary } };

function requestBodyOf(operation: Operation): Json | undefined {
  const placed = routeFields(operation);
  const inBody = (name: string, field: Field) => !placed.includes(name) && field.sent !== false;
  if (operation.body === 'raw') return { required: true, content: file };
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

function audioContent(operation: Operation): Json {
  const sound = { schema: binary };
  const data = bodySchema(operation, (name) => name !== 'content');
  return {
    'audio/wav': sound,
    'audio/mpeg': sound,
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { tone: binary, data },
        required: ['tone'],
      },
      encoding: { tone: { contentType: 'audio/wav, audio/mpeg' }, data: { contentType: 'application/json' } },
    },
  };
}

/**
 * Merges two operations with the same method and path, since OpenAPI allows only one operation for a method
 * and a path. A parameter stays required if both operations require the parameter.
 */
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
    answer: eitherOf(one.answer, other.answer),
  };
}

function eitherOf(one: Content, other: Content): Content {
  const both = Object.entries(other).map(([type, { schema }]) => {
    const known = one[type]?.schema;
    return [type, { schema: known ? { anyOf: [known, schema] } : schema }] as const;
  });
  return { ...one, ...Object.fromEntries(both) };
}

function written({ parameters, answer, extensions: own, ...entry }: Entry): Json {
  return {
    ...entry,
    ...(parameters.length > 0 && { parameters }),
    responses: responses(answer),
    ...own,
  };
}

function responses(content: Content): Json {
  const hasContent = Object.keys(content).length > 0;
  return {
    ...(hasContent ? { 200: { description: 'Done.', content } } : { '2XX': { description: 'Done.' } }),
    '4XX': { $ref: '#/components/responses/Refused' },
    default: { $ref: '#/components/responses/NotDone' },
  };
}
