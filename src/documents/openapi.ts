import { catalogue } from '../catalogue';
import type { Field, Operation, Shape } from '../catalogue/operation';
import type { Schema } from '../catalogue/schema';
import { answers, records } from './answers';
import { extensions } from './extensions';
import { binary, bodySchema, color } from './json-schema';
import { type OperationPath, operationPaths, routeFields } from './operation-path';
import { effectOnWire } from './wire-words';

export type Json = Readonly<Record<string, unknown>>;

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** An operation at one of its paths. */
interface Placed {
  readonly resource: string;
  readonly operation: Operation;
  readonly place: OperationPath;
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

/** OpenAPI allows only one entry for a method and a path, so operations that share both are described together. */
function paths(): Json {
  const groups = new Map<string, Placed[]>();
  for (const { resource, operations } of catalogue) {
    for (const operation of operations as readonly Operation[]) {
      for (const place of operationPaths(operation)) {
        const line = `${place.path} ${place.method}`;
        groups.set(line, [...(groups.get(line) ?? []), { resource, operation, place }]);
      }
    }
  }
  const all: Record<string, Json> = {};
  for (const [first, ...others] of groups.values()) {
    if (!first) continue;
    const { path, method } = first.place;
    all[path] = { ...all[path], [method]: entryOf(first, others) };
  }
  return all;
}

/** @param others operations with the method and the path of the first one, for which they add a query */
function entryOf(first: Placed, others: readonly Placed[]): Json {
  const { resource, operation, place } = first;
  const group = [first, ...others];
  const parameters = group.flatMap((one) => one.place.parameters);
  const requestBody = requestBodyOf(operation);
  return {
    operationId: `${resource}-${operation.id}${place.isDeep ? '-subfolder' : ''}`,
    tags: [resource],
    summary: group.map((one) => one.operation.title).join('; '),
    description: group.map(descriptionOf).join(' '),
    ...(requestBody && { requestBody }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) => ({ ...one, required: one.required && others.length === 0 })),
    }),
    responses: responsesOf(group),
    ...{ 'x-section': operation.section, ...extensions(operation), 'x-repeatable': operation.repeatable },
  };
}

function descriptionOf({ resource, operation, place }: Placed): string {
  const note = place.isDeep ? ' Here for a folder within a folder; deeper ones go on in the same way.' : '';
  return `${effectOnWire(`${resource}/${operation.id}`, operation.description)}${note}`;
}

function responsesOf(group: readonly Placed[]): Json {
  const contents = group.map(({ resource, operation }) => answerOf(`${resource}/${operation.id}`, operation));
  const types = [...new Set(contents.flatMap((content) => Object.keys(content)))];
  const content = types.map((type) => {
    const [schema, ...more] = contents.flatMap((one) => one[type]?.schema ?? []);
    return [type, { schema: more.length > 0 ? { anyOf: [schema, ...more] } : schema }];
  });
  return {
    ...(content.length > 0
      ? { 200: { description: 'Done.', content: Object.fromEntries(content) } }
      : { '2XX': { description: 'Done.' } }),
    '4XX': { $ref: '#/components/responses/Refused' },
    default: { $ref: '#/components/responses/NotDone' },
  };
}

function answerOf(name: string, { answer }: Operation): Content {
  const schema = answers[name];
  if (answer === 'none') return {};
  if (answer === 'text') return { 'text/plain': { schema: schema ?? { type: 'string' } } };
  const json: Content = schema || answer === 'json' ? { 'application/json': { schema: schema ?? {} } } : {};
  return answer === 'file' ? { ...file, ...json } : json;
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
