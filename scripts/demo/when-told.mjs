/** Calls this when the demo is to end: at Ctrl-C, when it is told to, and when npm is gone. */
export function whenTold(end) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  // A SIGTERM to npm ends npm and the shell between us, but does not arrive here: notice the missing parent.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 500).unref();
}
