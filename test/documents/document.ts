import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';

/** Of this repository. */
export const root = path.resolve(__dirname, '../../..');

/** One method of one path. */
export interface Described {
  readonly method: string;
  readonly url: string;
  readonly operation: {
    readonly operationId: string;
    readonly description: string;
    readonly parameters?: readonly Parameter[];
    readonly requestBody?: { readonly required: boolean; readonly content: Content };
    readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export type Schema = Readonly<Record<string, unknown>>;
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** `openapi.json`, as other people read it. */
export const document: OpenApi = JSON.parse(readFileSync(path.join(root, 'openapi.json'), 'utf8'));

/** A part of it with what its references mean in their place. */
function resolved(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(resolved);
  const { $ref, ...beside } = part as { $ref?: string };
  if ($ref !== undefined) return resolved({ ...(at($ref) as object), ...beside });
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]));
}

function at(reference: string): unknown {
  const [, ...names] = reference.split('/');
  const found = names.reduce<unknown>((part, name) => (part as Schema | undefined)?.[name], document);
  assert.ok(found, `${reference} leads nowhere`);
  return found;
}

const { paths } = resolved(document) as OpenApi;

/** Everything that the document describes. */
export const described: readonly Described[] = Object.entries(paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    url,
    operation: operation as Described['operation'],
  })),
);

/** What answers a request line, with its path filled in; a path without parameters goes first. */
export function describedBy(line: string): Described | undefined {
  const [method = '', target = ''] = line.split(' ');
  const [url = ''] = target.split('?');
  const fits = described.filter((one) => one.method === method && matches(one.url, url));
  return fits.find((one) => one.url === url) ?? fits[0];
}

function matches(template: string, url: string): boolean {
  const parts = url.split('/');
  const wanted = template.split('/');
  if (parts.length !== wanted.length) return false;
  return wanted.every((part, index) =>
    /^\{\w+\}$/.test(part) ? parts[index] !== '' : part === parts[index],
  );
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/** Why a value breaks a schema; nothing if it does not. */
export function breach(schema: Schema, value: unknown): string | undefined {
  const validate = ajv.compile(schema);
  return validate(value) ? undefined : `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`;
}
