import type { Answer } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { type About, aboutIn, type Identity, identityIn } from './identity';

/** Who a device is, as far as a person or the device itself has said, and whether it should be asked again. */
export class Recognition {
  /** As the device said when it was last asked. */
  about: About = {};
  #known: Identity;
  #isSettled = false;
  /** Contact was lost, or the device restarts: after its next success it may be another one. */
  #askAfterSuccess = false;

  /** @param byHand what a person set: it wins */
  constructor(private readonly byHand: Identity) {
    this.#known = byHand;
  }

  /** Without asking. */
  get known(): Identity {
    return this.#known;
  }

  /** Whether asking may tell something new. */
  get isOpen(): boolean {
    const isComplete = this.byHand.model !== undefined && this.byHand.firmware !== undefined;
    return !isComplete && !this.#isSettled;
  }

  /**
   * Asks the device who it is. Never rejects: no usable answer leaves it unknown.
   * @param readAbout reads the about record (section 2.4)
   */
  async ask(readAbout: () => Promise<Answer>): Promise<void> {
    let read: Identity = {};
    try {
      const { body } = await readAbout();
      read = identityIn(body);
      this.about = aboutIn(body);
      this.#askAfterSuccess = false;
    } catch (error) {
      this.about = {};
      // A refusal is an answer: older firmware has no `about`. Anything else may be over by the next success.
      this.#askAfterSuccess = !(error instanceof DeviceError && error.code === 'REFUSED');
    }
    this.#known = { ...read, ...this.byHand };
    this.#isSettled = true;
  }

  /** The device did something. */
  noteSuccess(): void {
    if (!this.#askAfterSuccess) return;
    this.#askAfterSuccess = false;
    this.#isSettled = false;
  }

  /** The device restarts, gets new firmware, or was not there: after its next success it may be another one. */
  noteChange(): void {
    this.#askAfterSuccess = true;
  }

  /** Makes the next question a request again. */
  forget(): void {
    this.#isSettled = false;
  }
}
