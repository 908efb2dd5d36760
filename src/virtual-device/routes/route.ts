import { type DeviceTraits, sentence, show } from '../checks/checks';
import type { Core } from '../core';
import { isAtLeast } from '../product/firmware';
import type { Products } from '../product/models';
import { type Answer, done, refuse } from '../wire/answer';

export interface Arrival {
  readonly contentType: string;
  readonly content: Buffer;
  /** The values of the placeholders in the path, percent-decoded. Segments of `{name*}` are joined by `/`. */
  readonly captures: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Exchange<T> extends Arrival {
  readonly device: Core;
  readonly body: T;
}

export interface Reader<T> {
  read(
    arrival: Arrival,
    device: DeviceTraits,
  ): { readonly value: T } | { readonly mistakes: readonly string[] };
}

export const nothing: Reader<undefined> = {
  read: ({ content }, { lenient }) =>
    content.length === 0 || lenient ? { value: undefined } : { mistakes: ['no body is expected here'] },
};

interface RouteForm<T> {
  /** Method and path; `{name}` stands for one segment, `{name*}` for all further segments. */
  readonly route: string;
  readonly does: string;
  readonly firmware: string;
  readonly products: Products;
  /** Reads the body; default: the request must have no body. */
  readonly content?: Reader<T>;
  /** Allowed names in the query; default: none. */
  readonly query?: readonly string[];
}

interface Answering<T> extends RouteForm<T> {
  readonly effect: (exchange: Exchange<T>) => Answer;
}

/** A route whose answer has no body. */
interface Changing<T> extends RouteForm<T> {
  readonly change: (exchange: Exchange<T>) => void;
}

export type RouteDefinition<T> = Answering<T> | Changing<T>;

export interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly does: string;
  missing(device: DeviceTraits): string | undefined;
  run(arrival: Arrival, device: Core): Answer;
}

export function route<T = undefined>(definition: RouteDefinition<T>): Route {
  const [method = '', path = ''] = definition.route.split(' ');
  const content = definition.content ?? (nothing as Reader<T>);
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
      const outcome = content.read(arrival, device);
      const mistakes = 'mistakes' in outcome ? [...oddities, ...outcome.mistakes] : oddities;
      if ('mistakes' in outcome || mistakes.length > 0) return refuse(sentence(mistakes));
      const exchange = { ...arrival, device, body: outcome.value };
      if ('effect' in definition) return definition.effect(exchange);
      definition.change(exchange);
      return done;
    },
  };
}

function queryMistakes(query: URLSearchParams, known: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const odd = [...query.keys()].filter((name) => !known.includes(name) || seen.size === seen.add(name).size);
  return odd.map((name) => `the query must not hold ${show(name)} here`);
}

export interface Match {
  readonly route: Route;
  readonly captures: Readonly<Record<string, string>>;
}

export function matchPath(routes: readonly Route[], path: string): Match[] {
  const segments = path.split('/');
  return routes.flatMap((candidate) => {
    const captures = capture(candidate.segments, segments);
    return captures ? [{ route: candidate, captures }] : [];
  });
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
