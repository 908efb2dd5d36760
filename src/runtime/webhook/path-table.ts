export interface PathClaim {
  readonly nodeId: string;
  /**
   * The decoded path without a slash at its end; the root path (possibly empty) if the claim is only for
   * routes of the interface.
   */
  readonly path: string;
  /**
   * Whether the claim is only for routes of the interface. All other requests below the path are then left to
   * Node-RED.
   */
  readonly isRoot: boolean;
  /** Whether a deploy has closed the node. The claim stays until the end of the deploy. */
  isClosed: boolean;
}

interface Found<C> {
  readonly claim: C;
  readonly rest: string;
}

/**
 * The paths of all webhooks of one server. If several nodes claim a path, the first node in the flow holds
 * the path.
 */
export class PathTable<C extends PathClaim> {
  #claims: C[] = [];

  get all(): readonly C[] {
    return this.#claims;
  }

  add(claim: C): void {
    this.#claims.push(claim);
  }

  /**
   * Handles the end of a deploy: removes the claims of closed nodes, and sorts the others by the position of
   * their nodes in the flow.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    const placed = this.#claims
      .filter(({ isClosed }) => !isClosed)
      .map((claim) => ({ claim, place: placeOf(claim.nodeId) }));
    this.#claims = placed.sort((a, b) => a.place - b.place).map(({ claim }) => claim);
  }

  holds(claim: C): boolean {
    return this.#claims.find(({ path }) => path === claim.path) === claim;
  }

  /**
   * Returns the claim on the requested path, or else on the nearest claimed parent of the path. Skips a claim
   * with `isRoot` if the rest of the path is not a route.
   * @param path the requested path, decoded
   * @param isRoute whether the rest of the path is a route of the interface
   */
  find(path: string, isRoute: (rest: string) => boolean): Found<C> | undefined {
    let found: Found<C> | undefined;
    for (const claim of this.#claims) {
      if (!path.startsWith(claim.path) || (found && found.claim.path.length >= claim.path.length)) continue;
      const rest = path.slice(claim.path.length);
      const isBelow = rest === '' || rest.startsWith('/');
      if (isBelow && (!claim.isRoot || isRoute(rest))) found = { claim, rest };
    }
    return found;
  }
}

/** Maximum length of a path that is decoded: thousands of invalid encodings would block the event loop. */
const maxDecoded = 2048;

export function decodePath(path: string): string {
  if (path.length > maxDecoded) return path;
  return path.replace(/(?:%[\da-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}
