import {
  type Edge,
  type InputMemory,
  type InputState,
  isEdge,
  isFirstReported,
  type Seen,
  step,
} from './edges';
import { isJsonObject, type Reading, type Source, sourceOf, textOf } from './reading';
import type { Content, Reporter, WatchReport } from './watch';

export type Input = 'relay' | 'relay1' | 'relay2';

interface RelayInputOptions {
  readonly input: Input;
  readonly edge: Edge;
  readonly debounceMs: number;
  readonly initial: boolean;
}

export function relayInputSource(input: Input): Source {
  const key = `input.${input}.status`;
  const check = (body: unknown) =>
    isJsonObject(body) && (typeof body[key] === 'string' || Array.isArray(body[key]))
      ? undefined
      : `the response has no "${key}"`;
  return sourceOf(`info/input-${input}`, check);
}

/** Parses the state of an input and its description (docs/interface.md, section 2.5), ignoring case. */
export function stateIn(raw: string): { state: InputState; description: string } {
  const [word = ''] = /^(?:active|idle|disabled)\b/i.exec(raw.trimStart()) ?? [];
  if (word === '') return { state: 'unknown', description: raw.trim() };
  const rest = raw.trim().slice(word.length);
  const description = rest.replace(/^[\s:,;-]+/, '').replace(/^\((.*)\)$/s, '$1');
  return { state: word.toLowerCase() as InputState, description };
}

export class RelayInput implements Reporter {
  #memory: InputMemory | undefined;
  #answer: () => Content = () => ({});

  constructor(private readonly options: RelayInputOptions) {}

  report({ body, at, monotonic }: Reading, isAsked: boolean): WatchReport {
    const { input, edge, debounceMs, initial } = this.options;
    const value = (body as Record<string, unknown>)[`input.${input}.status`];
    const raw = textOf(value);
    const { state, description } = stateIn(raw);
    const isFirst = this.#memory === undefined;
    const { memory, changedFrom, againMs } = step(this.#memory, { state, at, monotonic }, debounceMs);
    this.#memory = memory;
    const first = isFirst && { initial: true };
    const shownFrom = memory.candidate ?? memory.current;
    this.#answer = () => ({ payload: payloadOf(shownFrom, description, raw, changedFrom), ...first });
    const isReported = isFirst
      ? initial && isFirstReported(edge, state)
      : changedFrom !== undefined && isEdge(edge, changedFrom, state);
    return {
      messages: isReported && !isAsked ? [this.#answer()] : [],
      changed: changedFrom !== undefined,
      status: { key: `state.${memory.current.state}` },
      ...(againMs !== undefined && { againMs }),
    };
  }

  answer(): Content {
    return this.#answer();
  }

  goOnWith(before: Reporter): void {
    if (!(before instanceof RelayInput) || before.options.input !== this.options.input) return;
    this.#memory = before.#memory;
  }
}

function payloadOf(seen: Seen, description: string, raw: string, from: InputMemory | undefined): Content {
  const since = new Date(seen.at).toISOString();
  const previousMs = from && { previousMs: Math.round(seen.monotonic - from.current.monotonic) };
  return { state: seen.state, description, raw, since, ...previousMs };
}
