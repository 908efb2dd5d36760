import { parseArgs } from 'node:util';
import { FACTORY_PASSWORD } from './choices';
import type { VirtualDeviceOptions } from './device';
import { FIRMWARE_PATTERN } from './firmware';
import { findModel, MODELS } from './models';

export interface CommandLine {
  readonly count: number;
  readonly json: boolean;
  readonly device: VirtualDeviceOptions & { readonly model: string; readonly port: number };
}

export const HELP = `Usage: algo-virtual-device [options]

A virtual Algo device, as strict as the interface document. Ends with Ctrl-C.

  --model <number>     ${MODELS.map(({ number }) => number)
    .join(' ')
    .replace(/(.{60}) /g, '$1\n                       ')}
                       (default 8301)
  --firmware <version> such as 5.7 or 5.3.4 (default 5.7)
  --auth <method>      standard, basic or none (default standard)
  --password <text>    (default ${FACTORY_PASSWORD})
  --host <address>     (default 127.0.0.1)
  --port <number>      0 picks a free one (default 0)
  --tls                HTTPS with a self-signed certificate
  --count <n>          that many devices, on successive ports (default 1)
  --lenient            overlook unknown fields and needless bodies
  --json               one JSON line per device on standard output, the log on standard error
  --help               this text
`;

/** The command line cannot be understood; the message is one line for a person. */
export class UsageError extends Error {}

function whole(name: string, written: string, low: number, high: number): number {
  const number = Number(written);
  if (/^\d+$/.test(written) && number >= low && number <= high) return number;
  throw new UsageError(`--${name} must be a whole number from ${low} to ${high}, not "${written}"`);
}

function authOf(written: string): 'standard' | 'basic' | 'none' {
  if (written === 'standard' || written === 'basic' || written === 'none') return written;
  throw new UsageError(`--auth must be standard, basic or none, not "${written}"`);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      options: {
        model: { type: 'string', default: '8301' },
        firmware: { type: 'string', default: '5.7' },
        auth: { type: 'string', default: 'standard' },
        password: { type: 'string', default: FACTORY_PASSWORD },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '0' },
        count: { type: 'string', default: '1' },
        tls: { type: 'boolean', default: false },
        lenient: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(sentence);
  }
}

/** Reads the command line; `help` when that is what is wanted. Throws a UsageError. */
export function readArguments(argv: readonly string[]): CommandLine | 'help' {
  const values = parse(argv);
  if (values.help) return 'help';
  if (!findModel(values.model))
    throw new UsageError(
      `there is no model "${values.model}"; known are ${MODELS.map(({ number }) => number).join(', ')}`,
    );
  if (!FIRMWARE_PATTERN.test(values.firmware))
    throw new UsageError(`--firmware must look like 5.7 or 5.3.4, not "${values.firmware}"`);
  const port = whole('port', values.port, 0, 65535);
  const count = whole('count', values.count, 1, 1000);
  if (port > 0 && port + count - 1 > 65535)
    throw new UsageError(`there are no ${count} ports from ${port} on`);
  const auth = authOf(values.auth);
  const { model, firmware, password, host, tls, lenient, json } = values;
  return { count, json, device: { model, firmware, auth, password, host, port, tls, lenient } };
}
