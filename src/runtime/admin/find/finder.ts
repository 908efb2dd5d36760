import type { ServerResponse } from 'node:http';
import { Semaphore } from '../../../client/http/semaphore';
import { Abort } from '../../../client/queue/entry';
import type { FindLine, FoundDevice } from '../../answers';
import type { AdminRequest } from '../../lazy';
import { textIn } from '../dialog-values';
import { answer } from '../guard';
import { lookAt } from './landing-page';
import { type AddressRange, addressesIn, maxAddresses, readRange } from './range';

const sentences = {
  unreadable: 'Enter a range such as 10.0.0.0/24 or 10.0.0.1-50, optionally followed by :port.',
  public: 'Only private addresses are searched: 10/8, 172.16/12, 192.168/16, 169.254/16 and 127/8.',
  large: `One search covers at most ${maxAddresses} addresses, the size of a /22 network.`,
  busy: 'Another search is still running: wait until it is done.',
};

/**
 * Searches a range of addresses for devices, and rejects a second search while one is running. Each line of
 * the response is a `FindLine` as JSON. The search ends when the browser disconnects.
 */
export class Finder {
  #isSearching = false;

  async answer(request: AdminRequest, response: ServerResponse): Promise<void> {
    const { range: text } = Object(request.body) as { range?: unknown };
    const range = readRange(textIn(text));
    if (typeof range === 'string') return answer(response, 400, { error: sentences[range], reason: range });
    // The response of a client that has already disconnected would never emit `close`.
    if (response.destroyed) return;
    if (this.#isSearching) return answer(response, 409, { error: sentences.busy, reason: 'busy' });
    this.#isSearching = true;
    try {
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      const sendLine = (line: FindLine) =>
        void (closed.signal.aborted || response.write(`${JSON.stringify(line)}\n`));
      response.writeHead(200, {
        'Content-Type': 'application/x-ndjson',
        'Cache-Control': 'no-store',
        // Tells proxies not to buffer the response, since buffering would hide the progress.
        'X-Accel-Buffering': 'no',
      });
      sendLine({ of: range.last - range.first + 1 });
      const onAsked: Parameters<typeof search>[1]['onAsked'] = (found) =>
        sendLine(found ? { found } : { asked: 1 });
      await search(range, { look: lookAt, signal: closed.signal, onAsked });
      sendLine({ ended: true });
    } finally {
      this.#isSearching = false;
      response.end();
    }
  }
}

const maxParallel = 50;

interface SearchOptions {
  readonly look: (
    address: string,
    port: number | undefined,
    signal: AbortSignal,
  ) => Promise<FoundDevice | undefined>;
  readonly signal: AbortSignal;
  readonly onAsked: (found: FoundDevice | undefined) => void;
}

export async function search(range: AddressRange, { look, signal, onAsked }: SearchOptions): Promise<void> {
  const asking = new Semaphore(maxParallel);
  const ask = async (address: string) => {
    await asking.enter(new Abort());
    const found = signal.aborted ? undefined : await look(address, range.port, signal);
    if (!signal.aborted) onAsked(found);
    asking.leave();
  };
  await Promise.all([...addressesIn(range)].map(ask));
}
