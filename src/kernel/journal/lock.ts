import os from 'node:os';
import { read, type Steps } from './steps';

/**
 * The process that holds the lock. The fields distinguish this process from a later process with the same
 * number.
 */
interface Holder {
  readonly pid: number;
  readonly began?: string | undefined;
  /** The identity of the system start: `pid` and `began` identify a process only within one system start. */
  readonly boot: string | number;
}

/** Another running process holds the lock. */
export class HeldError extends Error {}

/**
 * Two calculated times of a system start mean the same system start if they differ by less than this value,
 * in milliseconds. The clock might be set between the two calculations.
 */
const slackMs = 60_000;

/**
 * Locks a file until this process unlocks the file or dies. The process number of a dead holder can belong to
 * another process by now, so the start times are compared too.
 * @returns a function that unlocks the file
 * @throws HeldError if another running process holds the lock
 * @throws Error if the file cannot be written
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
      yield* removeDeadLock(file);
    }
  }
}

function* unlock(file: string, own: string): Steps<void> {
  try {
    if ((yield* read(file)) === own) yield (files) => files.rm(file);
  } catch {
    // The lock was already removed, or cannot be read or removed.
  }
}

function* removeDeadLock(file: string): Steps<void> {
  const text = yield* read(file);
  const holder = holderIn(text);
  if (holder && (yield* isRunning(holder))) throw new HeldError(`the process ${holder.pid} uses it`);
  const aside = `${file}.${process.pid}.old`;
  yield (files) => files.rename(file, aside);
  // If another process has replaced the dead lock in the meantime, the moved file is a valid lock and is
  // moved back.
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

function* isRunning({ pid, began, boot }: Holder): Steps<boolean> {
  if (!isSameBoot(boot, yield* thisBoot())) return false;
  if (began !== undefined) return began === (yield* beganAt(pid));
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function* beganAt(pid: number): Steps<string | undefined> {
  try {
    const stat = yield* read(`/proc/${pid}/stat`);
    // The second field is the name in parentheses, with any characters; the state follows.
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return rest[0] === 'Z' || rest[0] === 'X' ? undefined : rest[19];
  } catch {
    return undefined;
  }
}

/**
 * Returns the identity of the current system start: its id, or its time in epoch milliseconds if there is no
 * id.
 */
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
