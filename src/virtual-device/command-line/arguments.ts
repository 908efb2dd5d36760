import { parseArgs } from 'node:util';
import { defaultRebootMs, defaultUploadSeconds, factoryPassword } from '../choices';
import { commandNames } from '../commands';
import type { VirtualDeviceOptions } from '../device';
import { firmwarePattern } from '../product/firmware';
import { findModel, models } from '../product/models';

/** A command with its argument, and the command-line option that gave the command, for error messages. */
export type Order = readonly [name: string, given: unknown, option: string];

export interface CommandLine {
  readonly count: number;
  readonly json: boolean;
  /** Port of the panels on 127.0.0.1; undefined if there are no panels. */
  readonly panelPort: number | undefined;
  readonly orders: readonly Order[];
  /** Settings that the command line states explicitly; the stored state can override these settings. */
  readonly given: Readonly<Partial<Record<'auth' | 'password', string>>>;
  readonly device: VirtualDeviceOptions & { readonly model: string; readonly port: number };
}

export const helpText = `Usage: algo-virtual-device [options]

A virtual Algo device, as strict as the interface document. Ends with Ctrl-C.
Its panel answers on 127.0.0.1 only. From elsewhere, with --panel-port 8080: ssh -L 8080:127.0.0.1:8080 <machine>

  --model <number>     ${models
    .map(({ number }) => number)
    .join(' ')
    .replace(/(.{60}) /g, '$1\n                       ')}
                       (default 8301)
  --firmware <version> such as 5.7 or 5.3.4 (default 5.7)
  --auth <method>      standard, basic or none (default standard)
  --password <text>    (default ${factoryPassword})
  --host <address>     (default 127.0.0.1)
  --port <number>      0 picks a free port (default 0)
  --tls                HTTPS with a self-signed certificate (requires the package selfsigned)
  --count <n>          number of devices, on successive ports (default 1)
  --lenient            accept unknown fields and needless bodies
  --unauthorized <n>   401 or 403 to a wrong signature or password (default 403)
  --api-off <n>        403 or 404 while the RESTful API is off (default 403)
  --sign-query         the signature covers the query
  --reboot <seconds>   time offline after a reboot (default 5; hardware takes about 90)
  --upload <seconds>   time from an upload to its sound (default 2; hardware takes 60 to 90)
  --calls <reach>      where its own calls may go: loopback or any (default loopback; with a --host that other
                       computers reach, calls of its schedule need this option)
  --state <folder>     keep settings, files and schedules there; they override --auth and --password
  --speed <factor>     speed of its time (default 1)
  --clock <seconds>    time that its clock is ahead, negative when behind (default 0)
  --fault <json>       such as '{"kind":"latency","ms":500,"chance":0.1}'; may be repeated
  --do <command>       command at the start, such as 'storage {"full":true}'; may be repeated; known commands:
                       ${commandNames.join(' ').replace(/(.{50}\S*) /g, '$1\n                       ')}
  --seed <number>      seed of the random sequence (default 1)
  --panel-port <n>     the panel's port on 127.0.0.1; 0 picks a free port (default 0, with --json none)
  --no-panel           no panel
  --json               one JSON line per device on standard output, the log on standard error
  --help               this text
`;

/** An error in the command line; its message is one line for the user. */
export class UsageError extends Error {}

/**
 * Maximum number of devices in one process with logs of the full length. With more devices, all logs are
 * short.
 */
const maxFullLogDevices = 20;

type Values = ReturnType<typeof parse>;

/**
 * Parses the command line; returns `help` if the user asks for help.
 * @throws UsageError if the command line is invalid
 */
export function readArguments(argv: readonly string[]): CommandLine | 'help' {
  const values = parse(argv);
  if (values.help) return 'help';
  if (!findModel(values.model))
    throw new UsageError(
      `the model "${values.model}" does not exist; known models: ${models.map(({ number }) => number).join(', ')}`,
    );
  if (!firmwarePattern.test(values.firmware))
    throw new UsageError(`--firmware must look like 5.7 or 5.3.4, not "${values.firmware}"`);
  const port = whole('port', values.port, 0, 65535);
  const count = whole('count', values.count, 1, 1000);
  if (port > 0 && port + count - 1 > 65535)
    throw new UsageError(`there are no ${count} ports from ${port} on`);
  const auth = oneOf('auth', values.auth ?? 'standard', ['standard', 'basic', 'none']);
  for (const name of ['password', 'host', 'state'] as const)
    if (values[name] === '') throw new UsageError(`--${name} must not be empty`);
  const { model, firmware, password = factoryPassword, host, tls, lenient, json, state } = values;
  const device = {
    ...{ model, firmware, auth, password, host, port, tls, lenient },
    signQuery: values['sign-query'],
    unauthorizedStatus: oneOf('unauthorized', values.unauthorized, [401, 403]),
    apiOffStatus: oneOf('api-off', values['api-off'], [403, 404]),
    rebootMs: whole('reboot', values.reboot, 0, 3600) * 1000,
    uploadSeconds: whole('upload', values.upload, 0, 3600),
    ...(values.calls === undefined ? {} : { calls: oneOf('calls', values.calls, ['loopback', 'any']) }),
    ...(state === undefined ? {} : { folder: state }),
    // Logs of the full length of up to 1000 devices would exhaust the memory.
    ...(count > maxFullLogDevices ? { logLength: 20 } : {}),
  };
  const given = {
    ...(values.auth === undefined ? {} : { auth }),
    ...(values.password === undefined ? {} : { password }),
  };
  return {
    count,
    json,
    device,
    given,
    panelPort: panelPortOf(values, json),
    orders: ordersOf(values),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: withNegatives(argv),
      strict: true,
      options: {
        model: { type: 'string', default: '8301' },
        firmware: { type: 'string', default: '5.7' },
        auth: { type: 'string' },
        password: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '0' },
        count: { type: 'string', default: '1' },
        tls: { type: 'boolean', default: false },
        lenient: { type: 'boolean', default: false },
        unauthorized: { type: 'string', default: '403' },
        'api-off': { type: 'string', default: '403' },
        'sign-query': { type: 'boolean', default: false },
        reboot: { type: 'string', default: String(defaultRebootMs / 1000) },
        upload: { type: 'string', default: String(defaultUploadSeconds) },
        calls: { type: 'string' },
        state: { type: 'string' },
        speed: { type: 'string', default: '1' },
        clock: { type: 'string', default: '0' },
        fault: { type: 'string', multiple: true, default: [] },
        do: { type: 'string', multiple: true, default: [] },
        seed: { type: 'string', default: '1' },
        'panel-port': { type: 'string' },
        'no-panel': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
    throw new UsageError(sentence);
  }
}

/**
 * Joins an option and its negative value, such as `--clock -60`, because the parser would read two options.
 */
function withNegatives(argv: readonly string[]): string[] {
  const isPair = (index: number): boolean =>
    /^--[a-z-]+$/.test(argv[index] ?? '') && /^-\.?\d/.test(argv[index + 1] ?? '');
  return argv.flatMap((argument, index) => {
    if (isPair(index)) return [`${argument}=${argv[index + 1]}`];
    return isPair(index - 1) ? [] : [argument];
  });
}

function whole(name: string, written: string, low: number, high: number): number {
  const number = Number(written);
  if (/^\d+$/.test(written) && number >= low && number <= high) return number;
  throw new UsageError(`--${name} must be a whole number from ${low} to ${high}, not "${written}"`);
}

function oneOf<const W extends string | number>(name: string, written: string, words: readonly W[]): W {
  const found = words.find((word) => String(word) === written);
  if (found !== undefined) return found;
  const wanted = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  throw new UsageError(`--${name} must be ${wanted}, not "${written}"`);
}

function panelPortOf(values: Values, json: boolean): number | undefined {
  const written = values['panel-port'];
  if (values['no-panel']) return undefined;
  if (written === undefined) return json ? undefined : 0;
  return whole('panel-port', written, 0, 65535);
}

function ordersOf({ speed, clock, seed, fault, do: commands }: Values): Order[] {
  const faults = fault.map((written): Order => {
    try {
      return ['fault', JSON.parse(written), '--fault'];
    } catch {
      throw new UsageError(`--fault must be JSON, not ${written}`);
    }
  });
  const factor = numberOf('speed', speed);
  const ahead = numberOf('clock', clock);
  return [
    ['seed', { seed: whole('seed', seed, 0, 2 ** 31) }, '--seed'],
    ...(factor === 1 ? [] : [['speed', { factor }, '--speed'] as const]),
    ...(ahead === 0 ? [] : [['clock', { ahead }, '--clock'] as const]),
    ...faults,
    ...commands.map(orderOf),
  ];
}

function numberOf(name: string, written: string): number {
  const number = Number(written);
  if (written.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`--${name} must be a number, not "${written}"`);
}

function orderOf(written: string): Order {
  const [, name = '', given = ''] = /^\s*(\S+)\s*(.*)$/s.exec(written) ?? [];
  try {
    return [name, given === '' ? {} : JSON.parse(given), `--do ${name}`];
  } catch {
    throw new UsageError(`--do must be a name and JSON, such as 'api {"on":false}', not ${written}`);
  }
}
