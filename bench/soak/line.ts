import type { Socket } from 'node:net';

/** Whom the package waits for longer than the device node says (docs/readings.md). */
export const patient = /^\/api\/(?:files|file-md5sum|controls\/(?:upgrade|tone\/upload-play))/;

/** A connection, and what speaks on it: itself or, where it is TLS, another socket once it is encrypted. */
export interface Line {
  readonly carrier: Socket;
  socket: Socket;
  readonly number: number;
  /** What is still to happen unless it is closed before. */
  readonly timers: Set<NodeJS.Timeout>;
  /** It began under a certificate that is not the device's own. */
  readonly isStrange: boolean;
  idle?: NodeJS.Timeout;
  /** How many have come on it. */
  requests: number;
}

/** Resets a connection; one that is being closed cannot be reset, and would stay for ever. */
export function reset({ carrier, socket }: Line): void {
  if (carrier.writableEnded || socket.writableEnded) carrier.destroy();
  else carrier.resetAndDestroy();
}
