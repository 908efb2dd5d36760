import { type DeviceTraits, sentence, show } from '../checks/checks';
import type { Core } from '../core';
import { isAtLeast } from '../product/firmware';
import type { Products } from '../product/models';
import { type Answer, refuse } from '../wire/answer';

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

export interface RouteDefinition<T> {
  /** Method and path; `{name}` stands for one segment, `{name*}` for all further segments. */
  readonly route: string;
  /** Section of docs/interface.md. */
  readonly section: string;
  readonly does: string;
  readonly firmware: string;
  readonly products: Products;
  readonly content: Reader<T>;
  /** Allowed names in the query; default: none. */
  readonly query?: readonly string[];
  readonly effect: (exchange: Exchange<T>) => Answer;
}

export interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly does: string;
  missing(device: DeviceTraits): string | undefined;
  run(arrival: Arrival, device: Core): Answer;
}

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
