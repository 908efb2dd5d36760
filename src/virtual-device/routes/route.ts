import { type Check, sentence, type Traits } from '../checks/checks';
import { httpStatus } from '../choices';
import type { Core } from '../core';
import { isAtLeast } from '../product/firmware';
import type { Products } from '../product/models';
import type { SignatureReport } from '../wire/signature';

/** What goes back. Without content the answer has no body at all. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly content?: { readonly type: string; readonly data: Buffer };
  /** Why it was refused or failed, for the log. */
  readonly reason?: string;
  /** For the log, if it is read: why the signature was refused. */
  readonly signature?: () => SignatureReport;
  /** What happens once the answer has left. */
  readonly afterwards?: 'reboot' | 'reload';
}

/** "No body" (section 4): success that says nothing. */
export const done: Answer = { status: httpStatus.success };

export function answer(json: unknown): Answer {
  return { status: httpStatus.success, json };
}

export function refuse(reason: string, status: number = httpStatus.badRequest): Answer {
  return { status, json: { error: reason }, reason };
}

/** A request that has passed authentication. */
export interface Arrival {
  readonly contentType: string;
  readonly content: Buffer;
  /** What the braces of the path stand for, percent-decoded; a rest of several segments joined by `/`. */
  readonly captures: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A request that has passed the checks of its route. */
export interface Exchange<T> extends Arrival {
  readonly device: Core;
  readonly body: T;
}

/** How a route reads its content: the value, or all that is wrong with it. */
export interface Reader<T> {
  read(arrival: Arrival, device: Traits): { readonly value: T } | { readonly mistakes: readonly string[] };
}

export interface RouteDefinition<T> {
  /** Method and path; `{name}` is one segment, `{name*}` all that follow. */
  readonly route: string;
  /** Where interface.md has it. */
  readonly section: string;
  /** In words, for the log. */
  readonly does: string;
  readonly firmware: string;
  readonly products: Products;
  readonly content: Reader<T>;
  /** Names that the query may hold; none if absent. */
  readonly query?: readonly string[];
  readonly effect: (exchange: Exchange<T>) => Answer;
}

export interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly does: string;
  /** Whether this model and firmware have the operation; if not, why. */
  missing(device: Traits): string | undefined;
  run(arrival: Arrival, device: Core): Answer;
}

function queryMistakes(query: URLSearchParams, known: readonly string[]): readonly string[] {
  const names = [...query.keys()];
  const odd = names.filter((name, index) => !known.includes(name) || names.indexOf(name) !== index);
  return odd.map((name) => `the query must not hold ${JSON.stringify(name)} here`);
}

/** Turns a definition into a route, so that `effect` only ever sees what its `content` has accepted. */
export function route<T>(definition: RouteDefinition<T>): Route {
  const [method = '', path = ''] = definition.route.split(' ');
  return {
    method,
    segments: path.split('/'),
    does: definition.does,
    missing({ model, firmware }) {
      if (!definition.products(model)) return `model ${model.number} cannot ${definition.does}`;
      if (!isAtLeast(firmware, definition.firmware))
        return `to ${definition.does} needs firmware ${definition.firmware} or newer; this device has ${firmware}`;
      return undefined;
    },
    run(arrival, device) {
      const oddities = device.lenient ? [] : queryMistakes(arrival.query, definition.query ?? []);
      const outcome = definition.content.read(arrival, device);
      const mistakes = 'mistakes' in outcome ? [...oddities, ...outcome.mistakes] : oddities;
      if ('mistakes' in outcome || mistakes.length > 0) return refuse(sentence(mistakes));
      return definition.effect({ ...arrival, device, body: outcome.value });
    },
  };
}

/** No content may come along. */
export const nothing: Reader<undefined> = {
  read: ({ content }, { lenient }) =>
    content.length === 0 || lenient ? { value: undefined } : { mistakes: ['no body is expected here'] },
};

/** The media type; anything after it (`; charset=…`) only a lenient device overlooks. */
export function mediaType({ contentType }: Arrival, { lenient }: Traits): string {
  return lenient ? (contentType.split(';', 1)[0] ?? '').trim().toLowerCase() : contentType;
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}

/** A JSON body that passes the check (section 1.1). */
export function json<T>(check: Check<T>): Reader<T> {
  return {
    read(arrival, device) {
      // An empty body is told apart, and what should have been in it is named.
      if (arrival.content.length === 0)
        return { mistakes: ['a JSON body is expected here', ...check({}, '', device)] };
      const type = mediaType(arrival, device);
      const ofType =
        type === 'application/json'
          ? []
          : [`Content-Type must be application/json, not ${JSON.stringify(type)}`];
      const value = parse(arrival.content);
      if (value === undefined) return { mistakes: [...ofType, 'the body is not JSON'] };
      const mistakes = [...ofType, ...check(value, '', device)];
      return mistakes.length === 0 ? { value: value as T } : { mistakes };
    },
  };
}

/** Content of one of these media types, as it is. */
export function raw(...types: readonly string[]): Reader<{ readonly type: string; readonly data: Buffer }> {
  return {
    read(arrival, device) {
      const type = mediaType(arrival, device);
      if (types.includes(type)) return { value: { type, data: arrival.content } };
      return { mistakes: [`Content-Type must be ${types.join(' or ')}, not ${JSON.stringify(type)}`] };
    },
  };
}

/** One of two readers, by the request or the device. */
export function dependingOn<A, B>(
  when: (arrival: Arrival, device: Traits) => boolean,
  then: Reader<A>,
  otherwise: Reader<B>,
): Reader<A | B> {
  return { read: (arrival, device) => (when(arrival, device) ? then : otherwise).read(arrival, device) };
}

function capture(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  const captures: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const rest = /^\{(\w+)\*\}$/.exec(segment)?.[1];
    if (rest !== undefined) {
      if (path.length <= index) return undefined;
      captures[rest] = path.slice(index).join('/');
      return captures;
    }
    const given = path[index];
    if (given === undefined) return undefined;
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) captures[name] = given;
    else if (given !== segment) return undefined;
  }
  return pattern.length === path.length ? captures : undefined;
}

export interface Match {
  readonly route: Route;
  readonly captures: Readonly<Record<string, string>>;
}

/** All routes whose path fits, whatever their method; captures are still percent-encoded. */
export function matchPath(routes: readonly Route[], path: string): Match[] {
  const segments = path.split('/');
  return routes.flatMap((candidate) => {
    const captures = capture(candidate.segments, segments);
    return captures ? [{ route: candidate, captures }] : [];
  });
}
