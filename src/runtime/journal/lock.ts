import os from 'node:os';
import { read, type Steps } from './steps';

/** A process that cannot be taken for a later one with the same number. */
interface Holder {
  readonly pid: number;
  /** When it began, as the system counts; absent where the system does not say. */
  readonly began?: string | undefined;
  /** Which start of the system that was in. */
  readonly boot: string | number;
}

/** A clock that was set may be off by this much, in milliseconds. */
const slackMs = 60_000;

/**
 * Makes this process the only one that holds a file, until it lets go or dies. What a dead process left behind
 * does not count: neither a number that another process has now, which in a container is the rule, nor one of an
 * earlier start of the system. Two containers that share a folder are not told apart.
 * @returns what lets go
 * @throws Error when another process that lives has it, or the file cannot be written
 */
export function* lock(file: string): Steps<() => Steps<void>> {
  const own = JSON.stringify({
    pid: process.pid,
    began: yield* beganAt(process.pid),
    boot: yield* thisBoot(),
  });
  for (let left = 2; ; left -= 1) {
    try {
      yield (files) => files.writeFile(file, own, { flag: 'wx', mode: 0o600 });
      return () => unlock(file, own);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || left === 0) throw error;
      yield* takeAway(file);
    }
  }
}

function* unlock(file: string, own: string): Steps<void> {
  try {
    if ((yield* read(file)) === own) yield (files) => files.rm(file);
  } catch {
    // It is gone already.
  }
}

/** Removes a lock whose holder is dead. */
function* takeAway(file: string): Steps<void> {
  const text = yield* read(file);
  const holder = holderIn(text);
  if (holder && (yield* lives(holder))) throw new Error(`the process ${holder.pid} uses it`);
  const aside = `${file}.${process.pid}.old`;
  yield (files) => files.rename(file, aside);
  // Between the two another process may have done the same: then this is its lock, and goes back.
  if ((yield* read(aside)) !== text) yield (files) => files.rename(aside, file);
  else yield (files) => files.rm(aside);
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, began, boot } = JSON.parse(text);
    return Number.isInteger(pid) && pid > 0 ? { pid, began, boot } : undefined;
  } catch {
    return undefined;
  }
}

function* lives({ pid, began, boot }: Holder): Steps<boolean> {
  if (!isSameBoot(boot, yield* thisBoot())) return false;
  if (began !== undefined) return began === (yield* beganAt(pid));
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, in ticks since the system's start; undefined where it lives no more, or nobody knows. */
function* beganAt(pid: number): Steps<string | undefined> {
  try {
    const stat = yield* read(`/proc/${pid}/stat`);
    // Its name comes second, in parentheses, and may hold anything; then its state, and when it began.
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return rest[0] === 'Z' || rest[0] === 'X' ? undefined : rest[19];
  } catch {
    return undefined;
  }
}

/** What tells one start of the system from another: its number, else when it was, in epoch milliseconds. */
function* thisBoot(): Steps<string | number> {
  try {
    return (yield* read('/proc/sys/kernel/random/boot_id')).trim();
  } catch {
    return Date.now() - os.uptime() * 1000;
  }
}

function isSameBoot(one: string | number, other: string | number): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return Math.abs(one - other) < slackMs;
}
