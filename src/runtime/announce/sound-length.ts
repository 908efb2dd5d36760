import type { LocalizedMessage } from '../../catalogue/localized-message';

/** The length of a sound in milliseconds, or the reason why the length cannot be read. */
export type SoundLength = { readonly ms: number } | { readonly reason: LocalizedMessage };
