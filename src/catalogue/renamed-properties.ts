/**
 * New names of properties, keyed by old name. In a name such as `job.operation`, the dot leads to a property
 * of an object.
 */
type Renames = Readonly<Record<string, string>>;

const access: Renames = { rehearsal: 'dryRun', queue: 'queueLimit' };
const action: Renames = { stream: 'split' };

/**
 * The renamed properties of each type of node. A stored flow can still have the old names; the values are not
 * migrated.
 */
export const renamedProperties: Readonly<Record<string, Renames>> = {
  'algo-device': access,
  'algo-group': { ...access, parallel: 'maxParallel' },
  'algo-alert': { deeds: 'actions', severity: 'priority' },
  'algo-remote': { 'job.noun': 'job.operation', expected: 'knownSites' },
  'algo-files': { ...action, skipSame: 'skipUnchanged' },
  'algo-audio': action,
  'algo-call': action,
  'algo-console': action,
  'algo-door': action,
  'algo-emergency': action,
  'algo-info': action,
  'algo-relay': action,
  'algo-request': action,
  'algo-scheduler': action,
  'algo-screen': action,
  'algo-settings': action,
  'algo-strobe': action,
  'algo-system': action,
  'algo-tone': action,
};

interface Renamed {
  readonly old: string;
  readonly now: string;
}

/**
 * Returns the properties that a stored node has under their old names, which the node does not read.
 * @param properties the properties as the flow stores them
 */
export function findRenamed(type: string, properties: object): Renamed[] {
  const renames = Object.hasOwn(renamedProperties, type) ? renamedProperties[type] : undefined;
  return Object.entries(renames ?? {})
    .filter(([old]) => valueAt(properties, old) !== undefined)
    .map(([old, now]) => ({ old, now }));
}

function valueAt(properties: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => Object(value)[key], properties);
}
