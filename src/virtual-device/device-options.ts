import type { CallReach } from './calls/call';
import type { Clock } from './clock/clock';
import type { ConsoleEventType } from './state/state';
import type { AuthenticationMethod } from './wire/authentication';

export interface VirtualDeviceOptions {
  /** Product number in the interface document; default: 8301. */
  readonly model?: string;
  /** Firmware version; default: 5.7. */
  readonly firmware?: string;
  /** Authentication method; default: standard. */
  readonly auth?: AuthenticationMethod;
  /** Password; default: the factory password. */
  readonly password?: string;
  /** Address on which the device listens; default: 127.0.0.1. */
  readonly host?: string;
  /** Port; default: 0, which selects a free port. */
  readonly port?: number;
  /** Whether to use HTTPS with a self-signed certificate that is created at the start. */
  readonly tls?: boolean;
  /**
   * Whether to ignore unknown fields, unexpected bodies and queries, and `; charset` in content types. The
   * signature may then cover the query or not.
   */
  readonly lenient?: boolean;
  /**
   * Whether the query is part of the signed URI, which the interface document leaves open; default: false.
   */
  readonly signQuery?: boolean;
  /** Status for rejected credentials, which the interface document leaves open; default: 403. */
  readonly unauthorizedStatus?: 401 | 403;
  /** Status while the RESTful API is disabled, which the interface document leaves open; default: 403. */
  readonly apiOffStatus?: 403 | 404;
  /** Seconds from an upload to its playback; default: 2. */
  readonly uploadSeconds?: number;
  /** Number of requests, and number of calls, that the log keeps; default: 500. */
  readonly logLength?: number;
  /** Folder that stores settings, files and schedules permanently; default: memory only. */
  readonly folder?: string;
  /**
   * The addresses to which the device sends its own HTTP requests (calls); default: `loopback`. Without this
   * option, a device that other computers can reach sends no calls of its schedule.
   */
  readonly calls?: CallReach;
  /** `Device Name` in the status record; default: the product name of the model. */
  readonly name?: string;
  readonly clock?: Clock;
  /**
   * Milliseconds of the device's clock without an answer after a reboot, a restore or an upgrade; default:
   * 5000.
   */
  readonly rebootMs?: number;
  /** Milliseconds of the device's clock without an answer after a reload; default: 0, no interruption. */
  readonly reloadMs?: number;
  /** Version of an available upgrade; default: none. */
  readonly newFirmware?: string;
  /**
   * The event type of each button identifier on the 8450. Without this option, every identifier is a button.
   */
  readonly buttons?: Readonly<Record<string, ConsoleEventType>>;
  /** Returns the URL of the panel, for a link on the landing page; undefined if there is no panel. */
  readonly panel?: () => string | undefined;
}
