export type InputState = 'active' | 'idle' | 'disabled' | 'unknown';
export type Edge = 'both' | 'rising' | 'falling';

/** A state and when it was first seen. */
export interface Seen {
  readonly state: InputState;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: number;
}

/** What is remembered of an input. */
export interface InputMemory {
  readonly current: Seen;
  /** Another state that has not lasted long enough yet. */
  readonly candidate?: Seen;
  /** The last state that was not unknown. */
  readonly known?: InputState;
  /** The last state that was active or idle. */
  readonly level?: InputState;
}

interface InputStep {
  readonly memory: InputMemory;
  /** What the input was before, when it changed. */
  readonly changedFrom?: InputMemory;
  /** A candidate can be settled in so many milliseconds. */
  readonly againMs?: number;
}

/**
 * What a reading means for an input.
 * @param memory undefined at the first reading, which is no change
 * @param debounceMs how long a new state must last
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
 * Whether a change is an edge that is waited for. What cannot be read is no edge, and neither is an input that
 * was switched off: rising begins at anything known that is not active, falling ends an active one.
 */
export function isEdge(edge: Edge, from: InputMemory, to: InputState): boolean {
  if (edge === 'rising') return to === 'active' && from.known !== 'active';
  if (edge === 'falling') return to === 'idle' && from.level === 'active';
  return true;
}

/** Whether the first reading is reported: a deploy never reports an edge for an input that is idle. */
export function isFirstReported(edge: Edge, state: InputState): boolean {
  if (edge === 'rising') return state === 'active';
  if (edge === 'falling') return state === 'idle';
  return true;
}
