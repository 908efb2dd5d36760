import { said } from '../catalogue/saying';
import { Failure } from './failure';
import type { Place } from './place';

/** How many messages may wait at a device. Urgent ones and readings do not count. */
export class Bound {
  #messages = 0;

  /**
   * Counts a message from its arrival, or ends it where too many wait.
   * @param holder who has the ordinary connection: a message does not wait, and while there is none, one will not
   */
  take(place: Place, holder: Place | undefined): void {
    if (place.claim.rank !== 'ordinary') return;
    const underWay = holder && holder.claim.rank !== 'ordinary' ? 0 : 1;
    const { mostWaiting } = place.user;
    if (this.#messages >= mostWaiting + underWay) {
      place.abort.abort(Failure.own('QUEUE_FULL', said('waits', { count: String(mostWaiting) })));
      return;
    }
    place.isCounted = true;
    this.#messages += 1;
  }

  /** The message waits no more, however often this is said. */
  release(place: Place): void {
    if (!place.isCounted) return;
    place.isCounted = false;
    this.#messages -= 1;
  }
}
