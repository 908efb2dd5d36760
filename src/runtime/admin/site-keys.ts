import type { NodeAPI } from 'node-red';
import { listOf } from '../../kernel/property';
import { keyOfSite } from '../../sites/signing';
import { isLevel } from '../../sites/wire';
import type { AdminHandler } from '../lazy';
import { readSecret } from '../sites/settings';
import { answer, guard, guarded, maxIds } from './guard';

interface KeysAsked {
  readonly id?: unknown;
  readonly secret?: unknown;
  readonly sites?: unknown;
}

/**
 * Returns the endpoint that computes the keys of a centre's sites, for users who may change flows. Without
 * https, the editor's page itself cannot compute the keys.
 */
export function keyEndpoints(RED: NodeAPI): Record<'/algo/sites/keys', AdminHandler> {
  const may = guard(RED, 'flows.write');
  return {
    '/algo/sites/keys': guarded(may, ({ body }, response) => {
      const { id, secret, sites } = Object(body) as KeysAsked;
      const key = readSecret(secret) ?? storedSecret(RED, id);
      const names = [...new Set(listOf(textsIn(sites)))]
        .slice(0, maxIds)
        .filter((name) => name !== '*' && isLevel(name));
      const keys = names.map((site) => [site, key === undefined ? undefined : keyOfSite(key, site)]);
      answer(response, 200, { keys: key === undefined ? {} : Object.fromEntries(keys) });
    }),
  };
}

function storedSecret(RED: NodeAPI, id: unknown): string | undefined {
  const node = typeof id === 'string' ? RED.nodes.getNode(id) : undefined;
  if (node?.type !== 'algo-remote') return undefined;
  return readSecret((node.credentials as { secret?: unknown } | undefined)?.secret);
}

function textsIn(sites: unknown): unknown {
  return Array.isArray(sites)
    ? sites.filter((name) => typeof name === 'string')
    : typeof sites === 'string'
      ? sites
      : [];
}
