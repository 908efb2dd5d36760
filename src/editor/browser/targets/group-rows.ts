import { fingerprintOf } from '../../../catalogue/fingerprint';
import { modelIn } from '../../../catalogue/identity';
import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { isVariable } from '../operations/check';
import type { Finding, Placed } from '../table/findings';
import type { TableKind } from '../table/row-reader';
import { checkAddress } from './address';

export const columns = ['name', 'address', 'tags', 'fingerprint', 'model', 'password'] as const;
export type Column = (typeof columns)[number];

/** A device in the table of a group, without a configuration node. */
export interface GroupRow extends Readonly<Record<Column, string>> {
  /**
   * Number of the group's credential that stores the password of this row; undefined if the row uses the
   * shared login.
   */
  readonly passwordKey?: unknown;
}

export const keptPassword = '__PWRD__';

export type PlacedRow = Placed<Column>;

export const groupTable: TableKind<Column> = {
  columns,
  alone: 'address',
  needed: 'address',
  titles: {
    name: 'name',
    device: 'name',
    'device name': 'name',
    address: 'address',
    'ip address': 'address',
    ip: 'address',
    host: 'address',
    hostname: 'address',
    url: 'address',
    tags: 'tags',
    tag: 'tags',
    fingerprint: 'fingerprint',
    'sha-256': 'fingerprint',
    sha256: 'fingerprint',
    model: 'model',
    'product name': 'model',
    password: 'password',
    'api password': 'password',
    'restful api password': 'password',
    passwort: 'password',
    kennwort: 'password',
    'mot de passe': 'password',
    contraseña: 'password',
  },
};

export interface RowContext {
  readonly isPinned: boolean;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** Names and addresses of other devices, which a row must not have. */
  readonly taken: readonly Taken[];
  /**
   * Key under `finding` in the locale file: its text names another row, or another line of a pasted text, by
   * number.
   */
  readonly place: 'inLine' | 'inRow';
}

interface Taken {
  readonly name: string;
  readonly address: string;
  /** Key under `finding` for a text about the device with this name and address. */
  readonly by: string;
  readonly words: Readonly<Record<string, string>>;
}

export function rowOf(stored: unknown): GroupRow {
  const row = Object(stored) as Record<string, unknown>;
  const cells = columns.map((column) => [column, String(row[column] ?? '').trim()]);
  const texts = { ...(Object.fromEntries(cells) as Record<Column, string>), password: '' };
  const { passwordKey } = row;
  const isShared = passwordKey === undefined || passwordKey === null || passwordKey === '';
  return isShared ? texts : { ...texts, password: keptPassword, passwordKey };
}

export function storedRow({ model, password: _, ...row }: GroupRow): object {
  return model === '' ? row : { ...row, model };
}

export function rowsOf(stored: unknown): GroupRow[] {
  return listIn(stored)?.map(rowOf) ?? [];
}

export function listIn(stored: unknown): readonly unknown[] | undefined {
  if (Array.isArray(stored)) return stored;
  if (stored === undefined || stored === null || stored === '') return [];
  try {
    const list: unknown = JSON.parse(String(stored));
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

export function nameOfRow({ name, address }: GroupRow): string {
  return name || address;
}

export function isBlank(row: GroupRow): boolean {
  return columns.every((column) => row[column] === '');
}

function sameAddress(address: string): string {
  const url = urlOf(address);
  return url ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : address.toLowerCase();
}

function urlOf(address: string): URL | undefined {
  const texts = /^https?:\/\//i.test(address) ? [address] : [`https://${address}`, `https://[${address}]`];
  const text = texts.find((one) => URL.canParse(one));
  return text === undefined ? undefined : new URL(text);
}

export function findingsIn(rows: readonly PlacedRow[], context: RowContext): Finding[] {
  const holders = { address: new Map<string, Holder>(), name: new Map<string, Holder>() };
  const passwords = { count: 0, keys: new Set<string>() };
  for (const { name, address, by, words } of context.taken) {
    if (address) holders.address.set(sameAddress(address), { by, words });
    if (name) holders.name.set(name, { by, words });
  }
  return rows.flatMap(({ row, line }) => {
    if (isBlank(row)) return [];
    const finding = findingIn(row, context, holders) ?? passwordFinding(row, context, passwords);
    const holder: Holder = { by: context.place, words: { line: String(line) } };
    const address = sameAddress(row.address);
    if (row.address && !holders.address.has(address)) holders.address.set(address, holder);
    if (!holders.name.has(nameOfRow(row))) holders.name.set(nameOfRow(row), holder);
    return finding ? [{ line, ...finding }] : [];
  });
}

interface Holder {
  readonly by: string;
  readonly words: Readonly<Record<string, string>>;
}

type Holders = Readonly<Record<'address' | 'name', ReadonlyMap<string, Holder>>>;

function findingIn(
  row: GroupRow,
  { isPinned }: RowContext,
  holders: Holders,
): Omit<Finding, 'line'> | undefined {
  const { address, fingerprint, model } = row;
  const wrong = isVariable(address) ? undefined : checkAddress(address);
  if (wrong) return { what: wrong, words: { value: address } };
  if (fingerprint === '' && isPinned) return { what: 'noFingerprint', words: {} };
  if (fingerprint !== '' && !isVariable(fingerprint) && fingerprintOf(fingerprint) === '') {
    return { what: 'fingerprint', words: { value: fingerprint } };
  }
  if (model !== '' && !isVariable(model) && modelIn(model) === undefined) {
    return { what: 'model', words: { value: model } };
  }
  const atAddress = holders.address.get(sameAddress(address));
  if (atAddress) return twice('addressTwice', address, atAddress);
  const named = holders.name.get(nameOfRow(row));
  return named && twice('nameTwice', nameOfRow(row), named);
}

/**
 * @param before number of passwords in earlier rows, and the keys of their stored passwords; updated by this
 * function
 */
function passwordFinding(
  { password, passwordKey }: GroupRow,
  { credentials }: RowContext,
  before: { count: number; readonly keys: Set<string> },
): Omit<Finding, 'line'> | undefined {
  if (!credentials || password === '') return undefined;
  before.count += 1;
  if (before.count > maxRowPasswords) return { what: 'manyPasswords', words: {} };
  if (password !== keptPassword) return undefined;
  const key = rowPassword(passwordKey);
  const isThere = key !== undefined && !before.keys.has(key) && credentials[`has_${key}`] === true;
  if (!isThere) return { what: 'noPassword', words: {} };
  before.keys.add(key);
  return undefined;
}

function twice(what: string, value: string, { by, words }: Holder): Omit<Finding, 'line'> {
  return { what, words: { ...words, value, by } };
}
