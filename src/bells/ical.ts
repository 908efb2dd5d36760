let loading: ReturnType<typeof load> | undefined;

/**
 * Loads ical.js on demand, only once: most flows do not need it. After a failure, all later calls fail too.
 */
export function ical(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

async function load() {
  return (await import('ical.js')).default;
}
