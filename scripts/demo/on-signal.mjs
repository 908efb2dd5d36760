/** Calls a function when the demo has to end: after Ctrl-C, after a signal, or when npm has ended. */
export function onSignal(end) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  // A SIGTERM to npm ends npm and its shell but does not arrive here, so the process checks for its parent.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 500).unref();
}
