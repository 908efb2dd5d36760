import { fingerprintOf } from '../../../catalogue/fingerprint';
import { modelIn } from '../../../catalogue/identity';
import { maxRowPasswords, rowPassword } from '../../../catalogue/row-passwords';
import { isVariable } from '../operations/check';
import type { Finding, Placed } from '../table/findings';
import type { TableKind } from '../table/row-reader';
import { checkAddress } from './address';

export const columns = ['name', 'address', 'tags', 'fingerprint', 'model', 'password'] as const;
export type Column = (typeof columns)[number];

/** A device of a group that has no node of its own. */
export interface GroupRow extends Readonly<Record<Column, string>> {
  /** The stored number of the credential that contains the row's own password. */
  readonly passwordKey?: unknown;
}

/** The placeholder of a stored password, as in the editor's own boxes. */
export const keptPassword = '__PWRD__';

export type PlacedRow = Placed<Column>;

/** The table of a group's rows, for reading rows from a text. */
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

/** The context in which rows are checked. */
export interface RowContext {
  /** Whether each row needs a fingerprint. */
  readonly isPinned: boolean;
  /** The credentials that the editor knows; absent if passwords are not checked. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** Addresses and names that other devices have. */
  readonly taken: readonly Taken[];
  /** The key of `finding` for the number of another row. */
  readonly place: 'inLine' | 'inRow';
}

interface Taken {
  readonly name: string;
  readonly address: string;
  /** A key of `finding` for the owner of the name and the address. */
  readonly by: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Reads a stored row. Missing and invalid values become empty texts. */
export function rowOf(stored: unknown): GroupRow {
  const row = Object(stored) as Record<string, unknown>;
  const cells = columns.map((column) => [column, String(row[column] ?? '').trim()]);
  const texts = { ...(Object.fromEntries(cells) as Record<Column, string>), password: '' };
  const { passwordKey } = row;
  const isShared = passwordKey === undefined || passwordKey === null || passwordKey === '';
  return isShared ? texts : { ...texts, password: keptPassword, passwordKey };
}

/** Returns a row to store: without the password, and without a model if the user set none. */
export function storedRow({ model, password: _, ...row }: GroupRow): object {
  return model === '' ? row : { ...row, model };
}

/** Reads stored rows. A stored text can be the JSON of a list. */
export function rowsOf(stored: unknown): GroupRow[] {
  return listIn(stored)?.map(rowOf) ?? [];
}

/** Reads a stored list; undefined if the value is not a list. */
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

/** Returns the name of a row in messages. */
export function nameOfRow({ name, address }: GroupRow): string {
  return name || address;
}

/** Whether a row is empty, because the user has not filled it in yet. */
export function isBlank(row: GroupRow): boolean {
  return columns.every((column) => row[column] === '');
}

/** Normalizes an address, so that two addresses of the same device are equal. */
function sameAddress(address: string): string {
  const url = urlOf(address);
  return url ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : address.toLowerCase();
}

function urlOf(address: string): URL | undefined {
  const texts = /^https?:\/\//i.test(address) ? [address] : [`https://${address}`, `https://[${address}]`];
  const text = texts.find((one) => URL.canParse(one));
  return text === undefined ? undefined : new URL(text);
}

/** Returns findings about rows: about each row alone, and about duplicate addresses and names. */
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

/** Returns the first finding about a row. */
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
 * Returns a finding about a row's own password: the password is not stored, or the group has too many.
 * @param before the number of previous rows with a password, and the credentials of these rows
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

/** Returns a finding about a duplicate. `sentenceOfFinding` fills in `other`. */
function twice(what: string, value: string, { by, words }: Holder): Omit<Finding, 'line'> {
  return { what, words: { ...words, value, by } };
}
