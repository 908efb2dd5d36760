import { copyOf, isJsonObject, type Reading, sourceOf } from './reading';
import type { Content, Reporter, WatchReport } from './watch';

const maxEvents = 500;

export const consoleEventsSource = sourceOf('console/status', (body) => {
  if (!isJsonObject(body) || !Array.isArray(body.active)) return 'the response has no "active"';
  if (body.active.length > maxEvents) return `the response has ${body.active.length} events`;
  return body.active.every(hasType) ? undefined : 'the response has an event without a "type"';
});

/** Maximum length of a status that is fully visible under a node, in characters. */
const maxStatusLength = 19;

/**
 * Times at which the events of one type began, in milliseconds on the monotonic clock, oldest first. The time
 * is undefined for an event that began before the first reading.
 */
type Begun = readonly (number | undefined)[];

export class ConsoleEvents implements Reporter {
  #begun: ReadonlyMap<string, Begun> | undefined;
  #answer: () => Content = () => ({});

  constructor(private readonly options: { readonly initial: boolean }) {}

  report({ body, monotonic }: Reading): WatchReport {
    const active = typesIn(body);
    const before = this.#begun;
    const after = new Map<string, Begun>();
    const started: Content[] = [];
    const stopped: Content[] = [];
    for (const type of new Set([...(before?.keys() ?? []), ...active])) {
      const begun = before?.get(type) ?? [];
      const count = active.filter((one) => one === type).length;
      const ended = begun.slice(0, Math.max(0, begun.length - count));
      const fresh = Array<number | undefined>(Math.max(0, count - begun.length));
      const lasting = [...begun.slice(ended.length), ...fresh.fill(before && monotonic)];
      if (lasting.length > 0) after.set(type, lasting);
      stopped.push(...ended.map((since) => eventOf(type, 'stopped', active, since, monotonic)));
      started.push(...fresh.map(() => eventOf(type, 'started', active)));
    }
    this.#begun = after;
    const events = [...stopped, ...started].map((payload) => ({
      payload,
      ...(!before && { initial: true }),
    }));
    const reported = before || this.options.initial ? events : [];
    this.#answer = () => ({ payload: copyOf(body), ...(!before && { initial: true }) });
    return {
      messages: reported,
      changed: events.length > 0,
      status: active.length === 0 ? { key: 'state.idle' } : { text: statusOf([...new Set(active)]) },
    };
  }

  answer(): Content {
    return this.#answer();
  }

  goOnWith(before: Reporter): void {
    if (before instanceof ConsoleEvents) this.#begun = before.#begun;
  }
}

function hasType(event: unknown): boolean {
  const type = isJsonObject(event) ? event.type : event;
  return typeof type === 'string' && type !== '';
}

function statusOf(types: readonly string[]): string {
  const all = types.join(', ');
  if (all.length <= maxStatusLength) return all;
  const more = types.length > 1 ? ` +${types.length - 1}` : '';
  return `${types[0]?.slice(0, maxStatusLength - more.length)}${more}`;
}

function typesIn(body: unknown): string[] {
  const { active } = body as { active: unknown[] };
  return active.map((event) => String(isJsonObject(event) ? event.type : event));
}

function eventOf(
  type: string,
  state: 'started' | 'stopped',
  active: readonly string[],
  since?: number,
  now?: number,
): Content {
  const durationMs = since !== undefined && now !== undefined && { durationMs: Math.round(now - since) };
  return { type, state, active: [...active], ...durationMs };
}
