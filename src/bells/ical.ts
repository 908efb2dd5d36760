let loading: ReturnType<typeof load> | undefined;

/** The library for recurrence and iCalendar. Loading it takes a while, which most flows need not wait for. */
export function ical(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

async function load() {
  return (await import('ical.js')).default;
}
