import { factoryPassword } from '../choices';
import type { AuthenticationMethod } from '../wire/authentication';

export interface Access {
  readonly address: string;
  readonly auth: AuthenticationMethod;
  readonly password: string;
}

export interface NodeOptions {
  readonly name: string;
  readonly model: string;
  readonly firmware: string;
  readonly auth: AuthenticationMethod;
  readonly password: string;
  readonly port: number;
  readonly host: '127.0.0.1';
}

/**
 * Reads the stored properties, in which Node-RED has replaced environment variables.
 * @throws Error that tells the user which property is invalid or which environment variable is not set
 */
export function readNodeOptions(
  config: Readonly<Record<string, unknown>>,
  credentials: { readonly password?: unknown } | undefined,
): NodeOptions {
  const model = textOf('model', config.model, '8301');
  return {
    name: textOf('name', config.name, `Virtual ${model}`),
    model,
    firmware: textOf('firmware', config.firmware, '5.7'),
    auth: authOf(config.auth),
    password: passwordOf(credentials?.password),
    port: portOf(config.port),
    host: '127.0.0.1',
  };
}

/** Throws if the property is still `${NAME}`: Node-RED keeps this text if the variable is not set. */
function textOf(name: string, value: unknown, otherwise: string): string {
  const text = value === undefined || value === null ? '' : String(value).trim();
  if (/^\$\{.*\}$/.test(text)) throw new Error(`${name}: the environment variable ${text} is not set`);
  return text === '' ? otherwise : text;
}

function authOf(value: unknown): AuthenticationMethod {
  const text = textOf('auth', value, 'standard');
  if (text === 'standard' || text === 'basic' || text === 'none') return text;
  throw new Error(`the authentication must be standard, basic or none, not "${text}"`);
}

/** Returns the password, including blanks at its ends; the factory password if the property is empty. */
function passwordOf(value: unknown): string {
  return textOf('password', value, '') === '' ? factoryPassword : String(value);
}

function portOf(value: unknown): number {
  const text = textOf('port', value, '0');
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Error(`the port must be a whole number from 0 to 65535, not "${text}"`);
}
