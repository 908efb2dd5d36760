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
  changed(): void;
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
  #claims = new Map<string, C[]>();
  #paths: readonly string[] = [];

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  add(claim: C): void {
    for (const [path, claims] of this.#claims) {
      const index = claims.findIndex(({ nodeId }) => nodeId === claim.nodeId);
      if (index < 0) continue;
      if (path === claim.path) {
        claims[index] = claim;
        return;
      }
      this.#drop(path, claims, index);
    }
    const claims = this.#claims.get(claim.path) ?? [];
    claims.push(claim);
    this.#claims.set(claim.path, claims);
    this.#sort();
  }

  /**
   * Removes the claims of nodes that a deploy has closed and not created again. Sorts the other claims by the
   * position of their nodes in the flow. Called at the end of the deploy.
   * @param placeOf returns the position of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    for (const claims of [...this.#claims.values()]) {
      for (const closed of claims.filter(({ isClosed }) => isClosed))
        this.#drop(closed.path, claims, claims.indexOf(closed));
      if (claims.length < 2) continue;
      const [before] = claims;
      const places = new Map(claims.map((claim) => [claim, placeOf(claim.nodeId)]));
      claims.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      if (claims[0] !== before) this.#notifyChanged(claims);
    }
  }

  all(): C[] {
    return [...this.#claims.values()].flat();
  }

  holds(claim: C): boolean {
    return this.#claims.get(claim.path)?.[0] === claim;
  }

  /**
   * Returns the claim on the requested path, or else on the nearest claimed parent of the path. Skips a claim
   * with `isRoot` if the rest of the path is not a route.
   * @param path the requested path, decoded
   * @param isRoute whether the rest of the path is a route of the interface
   */
  find(path: string, isRoute: (rest: string) => boolean): Found<C> | undefined {
    for (const claimed of this.#paths) {
      if (!path.startsWith(claimed)) continue;
      const rest = path.slice(claimed.length);
      if (rest !== '' && !rest.startsWith('/')) continue;
      const claim = this.#claims.get(claimed)?.[0];
      if (claim && (!claim.isRoot || isRoute(rest))) return { claim, rest };
    }
    return undefined;
  }

  #drop(path: string, claims: C[], index: number): void {
    claims.splice(index, 1);
    if (claims.length === 0) {
      this.#claims.delete(path);
      this.#sort();
    } else if (index === 0) this.#notifyChanged(claims);
  }

  #notifyChanged(claims: readonly C[]): void {
    for (const claim of claims) if (!claim.isClosed) claim.changed();
  }

  #sort(): void {
    this.#paths = [...this.#claims.keys()].sort((a, b) => b.length - a.length);
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
