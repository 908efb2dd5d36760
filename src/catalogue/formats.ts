import type { Format } from './operation';

/** What a format accepts, and how a sentence to a person says so. */
export const formats = {
  seconds: { accepts: /^\d+$/, words: 'whole seconds, 0 or more' },
  port: {
    accepts: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    words: 'a port number from 1 to 65535',
  },
} as const satisfies Record<Format, { accepts: RegExp; words: string }>;
