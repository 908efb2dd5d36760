import { Access } from '../../client/access';
import { realEnvironment } from '../../client/environment';
import type { QueueUser } from '../../client/queue/entry';
import { Queue } from '../../client/queue/queue';

/** The accesses in use, by the address of their device. */
const known = new Map<string, Access>();

/**
 * Returns the queue and the two connections of the device at an address; all names of the device share them.
 * @param where the address; undefined where it is not known: then the access is not shared
 */
export function enterAccess(where: string | undefined, user: QueueUser): Access {
  const access = (where !== undefined && known.get(where)) || new Access(new Queue(realEnvironment));
  if (where !== undefined) known.set(where, access);
  access.enter(user);
  return access;
}

/** Ends the use of an access by one name. The last name closes it. */
export async function leaveAccess(where: string | undefined, user: QueueUser, access: Access): Promise<void> {
  await access.leave(user);
  if (where !== undefined && !access.isUsed && known.get(where) === access) known.delete(where);
}
