import { nameOf } from '../catalogue/named';
import type { Operation } from '../catalogue/operation';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import { DeviceError } from './errors';
import type { Lane } from './lane';
import type { Place } from './place';
import { buildRequest, checkRequest } from './request';

/** What sends the requests of a turn. */
type Perform = (make: () => WireRequest, options: FullOptions, place: Place, lane: Lane) => Promise<Answer>;

/** A call's turn at its device: what it sends while nothing else is sent over its connection. */
export class Turn {
  /** Something was done, or may have been. */
  happened = false;

  constructor(
    private readonly perform: Perform,
    private readonly place: Place,
    private readonly lane: Lane,
  ) {}

  /** It ends what may begin only later: a start of its subject is under way, and it is done once more after that. */
  get overtakes(): boolean {
    return this.place.line?.overtakers.includes(this.place) === true;
  }

  /**
   * Does one operation of the catalogue.
   * @param parameters by their wire names, already checked
   * @param build makes the request of it
   * @throws DeviceError
   */
  call(
    operation: Operation,
    parameters: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
    build: typeof buildRequest = buildRequest,
  ): Promise<Answer> {
    const { repeatable, urgent, answer, minTimeoutMs } = operation;
    const full = { deed: nameOf(operation), ...options, repeatable, urgent, answer, minTimeoutMs };
    return this.#send(() => build(operation, parameters), full);
  }

  /**
   * Sends a request made by hand, signed like any other.
   * @throws DeviceError
   */
  send(request: WireRequest, options: SendOptions = {}): Promise<Answer> {
    const make = () => {
      checkRequest(request);
      return request;
    };
    return this.#send(make, { deed: `${request.method} ${request.path}`, ...options });
  }

  async #send(make: () => WireRequest, options: FullOptions): Promise<Answer> {
    try {
      const answer = await this.perform(make, options, this.place, this.lane);
      this.happened = true;
      return answer;
    } catch (error) {
      if (!(error instanceof DeviceError) || error.outcome === 'unknown') this.happened = true;
      throw error;
    }
  }
}
