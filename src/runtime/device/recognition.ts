import { operation } from '../../catalogue/named';
import type { Answer } from '../../client/client';
import { DeviceError } from '../../client/errors';
import { type About, aboutIn, type Identity, identityIn } from './identity';

/** The question who a device is (section 4.1). */
export const about = operation('info/about');

/** The device says it is busy, not that it will not say. */
const unavailable = 503;

/**
 * The identity of a device, as set by a user or read from the device, and whether to read it again. A device that
 * does not answer, or whose model the document does not name, stays unknown and is sent everything: a device that is
 * newer than the document must not be locked out.
 */
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

  /** A person has set the model. */
  get isModelSet(): boolean {
    return this.byHand.model !== undefined;
  }

  /** Whether asking may tell something new. */
  get isOpen(): boolean {
    const isComplete = this.byHand.model !== undefined && this.byHand.firmware !== undefined;
    return !isComplete && !this.#isSettled;
  }

  /**
   * Asks the device who it is. Never rejects: no usable answer leaves it unknown.
   * @param readAbout reads the about record (section 2.4)
   * @returns why it could not be asked, where it could not
   */
  async ask(readAbout: () => Promise<Answer>): Promise<unknown> {
    try {
      const { body } = await readAbout();
      this.note(body);
      return undefined;
    } catch (error) {
      this.note(undefined);
      // A refusal is an answer: older firmware has no `about`. Anything else may be over by the next success.
      if (error instanceof DeviceError && error.code === 'REFUSED' && error.statusCode !== unavailable)
        return undefined;
      this.#askAfterSuccess = true;
      return error;
    }
  }

  /** Takes what the device has said of itself just now, whoever asked it: its about record (section 2.4). */
  note(body: unknown): void {
    this.about = aboutIn(body);
    this.#known = { ...identityIn(body), ...this.byHand };
    this.#isSettled = true;
    this.#askAfterSuccess = false;
  }

  /**
   * The device did something.
   * @param route what it was asked; if that was who it is, nobody needs to ask again
   * @param answer what it said
   */
  noteSuccess(route: string, answer: unknown): void {
    if (route === about.route) this.note(answer);
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
