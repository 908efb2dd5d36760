let loading: ReturnType<typeof load> | undefined;

/** Loads ical.js on demand, since loading takes a while and most flows do not need it. */
export function ical(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

async function load() {
  return (await import('ical.js')).default;
}
