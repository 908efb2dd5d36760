import os from 'node:os';
import { read, type Steps } from './steps';

/**
 * A process that holds the lock. The fields distinguish the process from a later process with the same
 * number.
 */
interface Holder {
  readonly pid: number;
  /** The start time of the process, in units of the system; absent if the system does not provide it. */
  readonly began?: string | undefined;
  /** The identity of the start of the system during which the process began. */
  readonly boot: string | number;
}

/**
 * Maximum difference of two times of a system start that count as equal, in milliseconds. The clock might
 * have been set.
 */
const slackMs = 60_000;

/**
 * Locks a file for this process until it unlocks the file or dies. A lock of a dead process does not count.
 * The number of a dead process can stem from an earlier start of the system, or belong to another process, as
 * is common in containers. Two containers that share a folder are not told apart.
 * @returns a function that unlocks the file
 * @throws Error if another running process holds the lock, or the file cannot be written
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
    // The lock no longer exists.
  }
}

/**
 * Removes a lock whose holder is dead.
 * @throws Error if the holder is running
 */
function* takeAway(file: string): Steps<void> {
  const text = yield* read(file);
  const holder = holderIn(text);
  if (holder && (yield* lives(holder))) throw new Error(`the process ${holder.pid} uses it`);
  const aside = `${file}.${process.pid}.old`;
  yield (files) => files.rename(file, aside);
  // Another process might have replaced the dead lock since it was read. Then the moved file is that process's lock,
  // and goes back.
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

/**
 * Returns the start time of a process, in units of the system; undefined if the process is dead or the time is unknown.
 */
function* beganAt(pid: number): Steps<string | undefined> {
  try {
    const stat = yield* read(`/proc/${pid}/stat`);
    // The second field is the name in parentheses, with any characters. The state and, later, the start time follow.
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return rest[0] === 'Z' || rest[0] === 'X' ? undefined : rest[19];
  } catch {
    return undefined;
  }
}

/** Returns the identity of this start of the system: its id, else its time in epoch milliseconds. */
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
