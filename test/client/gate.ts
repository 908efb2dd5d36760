import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type http from 'node:http';
import type { Seen } from './bench';

/** A device that holds its answers until a test lets them go. */
export class Gate extends EventEmitter<{ request: [Seen] }> {
  readonly held: http.ServerResponse[] = [];
  readonly respond = (seen: Seen, response: http.ServerResponse) => {
    this.held.push(response);
    this.emit('request', seen);
  };

  async next(): Promise<Seen> {
    const [seen] = await once(this, 'request');
    return seen;
  }

  /** @param index of those that are held, in the order of their coming */
  release(index = 0): void {
    const [response] = this.held.splice(index, 1);
    assert.ok(response, 'nothing is held');
    response.end();
  }
}
