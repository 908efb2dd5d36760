let loading: ReturnType<typeof load> | undefined;

/**
 * Loads ical.js on demand, only once: most flows do not need ical.js. After a failure, the next call tries
 * again.
 */
export function ical(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  return (await import('ical.js')).default;
}
