/**
 * Called after each request to a device that was answered, or that found no connection. A request without an
 * answer does not count: a device can hang at one request and answer the others.
 * @param where location of the device
 * @param isAnswered whether the device has answered, also with a refusal
 */
type ContactListener = (where: string, isAnswered: boolean) => void;

const listeners = new Set<ContactListener>();

/** @returns a function that removes the listener */
export function onContact(listener: ContactListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function emitContact(where: string | undefined, isAnswered: boolean): void {
  if (where !== undefined) for (const listener of listeners) listener(where, isAnswered);
}
