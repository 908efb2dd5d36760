export type InputState = 'active' | 'idle' | 'disabled' | 'unknown';
export type Edge = 'both' | 'rising' | 'falling';

export interface Seen {
  readonly state: InputState;
  /** Time of the reading, in epoch milliseconds. */
  readonly at: number;
  /** Time of the reading in milliseconds on the monotonic clock. */
  readonly monotonic: number;
}

export interface InputMemory {
  readonly current: Seen;
  /** A different state that has not yet lasted for the debounce time; absent if there is none. */
  readonly candidate?: Seen;
  /** The last state other than `unknown`; absent if there was none. */
  readonly known?: InputState;
  /** The last state that was active or idle; absent if there was none. */
  readonly level?: InputState;
}

interface InputStep {
  readonly memory: InputMemory;
  readonly changedFrom?: InputMemory;
  /** Time until the candidate can become the state, in milliseconds; absent if there is no candidate. */
  readonly againMs?: number;
}

/**
 * @param memory undefined at the first reading, which is not a change
 * @param debounceMs time for which a new state must last, in milliseconds
 */
export function step(memory: InputMemory | undefined, seen: Seen, debounceMs: number): InputStep {
  if (!memory) return { memory: settled({}, seen) };
  const { candidate: before, ...rest } = memory;
  if (seen.state === memory.current.state) return { memory: rest };
  const candidate = before?.state === seen.state ? before : seen;
  const lastedMs = seen.monotonic - candidate.monotonic;
  if (lastedMs < debounceMs) return { memory: { ...rest, candidate }, againMs: debounceMs - lastedMs };
  return { memory: settled(rest, candidate), changedFrom: memory };
}

function settled(before: Partial<InputMemory>, current: Seen): InputMemory {
  const { state } = current;
  const known = state === 'unknown' ? before.known : state;
  const level = state === 'active' || state === 'idle' ? state : before.level;
  return { current, ...(known && { known }), ...(level && { level }) };
}

/**
 * Whether a change is the requested edge.
 * - `both`: every change.
 * - `rising`: to active, unless the last known state was active too.
 * - `falling`: to idle, if the last state other than disabled or unknown was active.
 */
export function isEdge(edge: Edge, from: InputMemory, to: InputState): boolean {
  if (edge === 'rising') return to === 'active' && from.known !== 'active';
  if (edge === 'falling') return to === 'idle' && from.level === 'active';
  return true;
}

/**
 * Whether the first reading is reported if `initial` is set. An idle input is not reported as a rising edge,
 * and an active input is not reported as a falling edge.
 */
export function isFirstReported(edge: Edge, state: InputState): boolean {
  if (edge === 'rising') return state === 'active';
  if (edge === 'falling') return state === 'idle';
  return true;
}
