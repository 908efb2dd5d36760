import { nameOf } from '../catalogue/named';
import type { Operation } from '../catalogue/operation';
import type { Answer, CallOptions, FullOptions, SendOptions, WireRequest } from './call';
import type { QueueEntry } from './queue/entry';
import { buildRequest, checkRequest } from './request';

/** What sends the requests of a turn. */
type Perform = (make: () => WireRequest, options: FullOptions, turn: Turn) => Promise<Answer>;

/** A call's turn at its device: what it sends while nothing else is sent over its connection. */
export class Turn {
  /** Something was done, or may have been: more than looked. What performs its requests says so. */
  happened = false;

  constructor(
    private readonly perform: Perform,
    readonly place: QueueEntry,
  ) {}

  /** It ends what may begin only later: a start of its subject is under way, and it is done once more after that. */
  get isEarlyStop(): boolean {
    return this.place.line?.earlyStops.includes(this.place) === true;
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
    const { operationName = nameOf(operation) } = options;
    const full = { ...options, operationName, repeatable, urgent, answer, minTimeoutMs };
    return this.perform(() => build(operation, parameters), full, this);
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
    const full = { operationName: `${request.method} ${request.path}`, ...options };
    return this.perform(make, full, this);
  }
}
