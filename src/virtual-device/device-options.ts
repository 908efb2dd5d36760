import { defaultUploadSeconds, factoryPassword, httpStatus } from './choices';
import type { Clock } from './clock/clock';
import type { CoreOptions } from './core';
import { firmwarePattern } from './product/firmware';
import { findModel } from './product/models';
import type { ConsoleEventType } from './state/state';
import type { AuthenticationMethod } from './wire/authentication';

export interface VirtualDeviceOptions {
  /** A product number of the document; 8301. */
  readonly model?: string;
  /** 5.7. */
  readonly firmware?: string;
  /** standard. */
  readonly auth?: AuthenticationMethod;
  /** The factory password. */
  readonly password?: string;
  /** 127.0.0.1. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port?: number;
  /** HTTPS with a self-signed certificate that is made at start. */
  readonly tls?: boolean;
  /** Overlook unknown fields, bodies where none belongs and `; charset` in content types. */
  readonly lenient?: boolean;
  /** Whether the query belongs to the signed uri, which the document does not say; false. */
  readonly signQuery?: boolean;
  /** To a wrong signature or password, which the document does not say; 403. */
  readonly unauthorizedStatus?: 401 | 403;
  /** While the RESTful API is switched off, which the document does not say; 403. */
  readonly apiOffStatus?: 403 | 404;
  /** Seconds from an upload to its sound; 2. */
  readonly uploadSeconds?: number;
  /** Requests that the log keeps; 500. */
  readonly logLength?: number;
  /** Where settings, files and schedules are kept from one start to the next; in memory without it. */
  readonly folder?: string;
  /** `Device Name` in the status record. */
  readonly name?: string;
  readonly clock?: Clock;
  /** Milliseconds without an answer after a reboot, a restore or an upgrade; 5000. */
  readonly rebootMs?: number;
  /** Milliseconds without an answer after a reload; 0: it answers all the time. */
  readonly reloadMs?: number;
  /** The firmware that an upgrade would bring; none: it is up to date. */
  readonly newFirmware?: string;
  /** Buttons of the 8450: the event that each identifier starts. Without it, every identifier is a button. */
  readonly buttons?: Readonly<Record<string, ConsoleEventType>>;
  /** The URL of its panel, for whoever opens its own address in a browser; undefined while there is none. */
  readonly panel?: () => string | undefined;
}

/** What the options make of the device behind its interface. Throws when model or firmware are not understood. */
export function coreOptionsOf(options: VirtualDeviceOptions, clock: Clock): CoreOptions {
  const { model = '8301', firmware = '5.7', lenient = false, signQuery, newFirmware, buttons } = options;
  const found = findModel(model);
  if (!found) throw new Error(`there is no model ${model}`);
  if (!firmwarePattern.test(firmware)) throw new Error(`a firmware cannot be called ${firmware}`);
  return {
    model: found,
    firmware,
    auth: options.auth ?? 'standard',
    password: options.password ?? factoryPassword,
    name: options.name ?? found.productName,
    lenient,
    signedUri: lenient ? 'either' : signQuery ? 'target' : 'path',
    clock,
    statuses: {
      forbidden: options.unauthorizedStatus ?? httpStatus.forbidden,
      interfaceOff: options.apiOffStatus ?? httpStatus.forbidden,
    },
    uploadSeconds: options.uploadSeconds ?? defaultUploadSeconds,
    newFirmware,
    buttons,
    panel: options.panel,
  };
}
