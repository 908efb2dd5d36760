import { matchRoute } from './routes';
import { decodePath } from './settings';
import type { Webhook } from './webhook';

interface Found {
  readonly webhook: Webhook;
  /** The part of the decoded path below the path of the webhook. */
  readonly rest: string;
}

/**
 * The paths of all webhooks of one server. If several nodes have a path, the first node in the flow holds the
 * path.
 */
export class PathTable {
  #webhooks: readonly Webhook[] = [];

  get all(): readonly Webhook[] {
    return this.#webhooks;
  }

  add(webhook: Webhook): void {
    this.#webhooks = [...this.#webhooks, webhook];
  }

  /**
   * Handles the end of a deploy: removes closed nodes, and sorts the others by their position in the flow.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    const open = this.#webhooks.filter(({ isClosed }) => !isClosed);
    this.#webhooks = open.sort((a, b) => placeOf(a.nodeId) - placeOf(b.nodeId));
  }

  holds(webhook: Webhook): boolean {
    return this.#webhooks.find(({ settings }) => settings.path === webhook.settings.path) === webhook;
  }

  /**
   * Returns the webhook of the requested path, or else of the nearest parent of the path. A webhook at the
   * root serves only routes of the interface, and all other requests are left to Node-RED.
   */
  find(method: string, path: string): Found | undefined {
    const decoded = decodePath(path);
    let found: Found | undefined;
    for (const webhook of this.#webhooks) {
      const { path: own, isRoot } = webhook.settings;
      if (!decoded.startsWith(own) || (found && found.webhook.settings.path.length >= own.length)) continue;
      const rest = decoded.slice(own.length);
      const isBelow = rest === '' || rest.startsWith('/');
      if (isBelow && (!isRoot || matchRoute(method, rest))) found = { webhook, rest };
    }
    return found;
  }
}
