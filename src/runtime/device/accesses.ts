import { Access } from '../../client/access';
import { realEnvironment } from '../../client/environment';
import type { QueueUser } from '../../client/place';
import { Queue } from '../../client/queue';

/** By where they lead to, as long as any name of that is used. */
const known = new Map<string, Access>();

/**
 * The one order and the two connections of what is somewhere, for all names that it has.
 * @param where undefined where that cannot be told: then nobody shares it
 */
export function enterAccess(where: string | undefined, user: QueueUser): Access {
  const access = (where !== undefined && known.get(where)) || new Access(new Queue(realEnvironment));
  if (where !== undefined) known.set(where, access);
  access.enter(user);
  return access;
}

/** A name is not used any more. */
export async function leaveAccess(where: string | undefined, user: QueueUser, access: Access): Promise<void> {
  await access.leave(user);
  if (where !== undefined && !access.isUsed && known.get(where) === access) known.delete(where);
}
