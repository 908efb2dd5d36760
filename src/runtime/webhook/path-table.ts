/** The claim of a node to the requests of one path. */
export interface Claim {
  readonly nodeId: string;
  /** The decoded path without a trailing slash; empty or a root if the claim is for the routes below it alone. */
  readonly path: string;
  /** Whether the claim is for routes of the interface alone, and leaves any other request below the path. */
  readonly isRoot: boolean;
  /** Whether a deploy has closed the node. The claim stays until the deploy ends. */
  isClosed: boolean;
  /** Called when another node gives up the path, or claims it before. */
  changed(): void;
}

/** A claim, and the part of a path after the path of the claim. */
interface Found<C> {
  readonly claim: C;
  readonly rest: string;
}

/** The paths of all webhooks of one server. The first claim in the flow holds a path that several nodes claim. */
export class PathTable<C extends Claim> {
  /** The claims to each path; the first holds the path. */
  #claims = new Map<string, C[]>();
  /** The paths, longest first. */
  #paths: readonly string[] = [];

  get isEmpty(): boolean {
    return this.#paths.length === 0;
  }

  /** Adds a claim. It takes the place of an earlier claim of its node to the same path. */
  add(claim: C): void {
    for (const [path, claims] of this.#claims) {
      const place = claims.findIndex(({ nodeId }) => nodeId === claim.nodeId);
      if (place < 0) continue;
      if (path === claim.path) {
        claims[place] = claim;
        return;
      }
      this.#drop(path, claims, place);
    }
    const claims = this.#claims.get(claim.path) ?? [];
    claims.push(claim);
    this.#claims.set(claim.path, claims);
    this.#sort();
  }

  remove(claim: C): void {
    const claims = this.#claims.get(claim.path) ?? [];
    const place = claims.indexOf(claim);
    if (place >= 0) this.#drop(claim.path, claims, place);
  }

  /**
   * Called at the end of a deploy: removes the claims of nodes that the deploy has closed and not started again, and
   * puts the others into the order of the flow.
   * @param placeOf returns the place of a node in the flow
   */
  settle(placeOf: (nodeId: string) => number): void {
    for (const claims of [...this.#claims.values()]) {
      for (const closed of claims.filter(({ isClosed }) => isClosed)) this.remove(closed);
      if (claims.length < 2) continue;
      const [before] = claims;
      const places = new Map(claims.map((claim) => [claim, placeOf(claim.nodeId)]));
      claims.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      if (claims[0] !== before) this.#tell(claims);
    }
  }

  /** Returns all claims. */
  all(): C[] {
    return [...this.#claims.values()].flat();
  }

  holds(claim: C): boolean {
    return this.#claims.get(claim.path)?.[0] === claim;
  }

  /**
   * Returns the claim with the longest path that is a path, or above a path.
   * @param path decoded
   * @param isRoute tells whether the rest of the path is a route of the interface
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

  #drop(path: string, claims: C[], place: number): void {
    claims.splice(place, 1);
    if (claims.length === 0) {
      this.#claims.delete(path);
      this.#sort();
    } else if (place === 0) this.#tell(claims);
  }

  #tell(claims: readonly C[]): void {
    for (const claim of claims) if (!claim.isClosed) claim.changed();
  }

  #sort(): void {
    this.#paths = [...this.#claims.keys()].sort((a, b) => b.length - a.length);
  }
}

/** Decodes the percent-encoding of a path. An invalid encoding stays as it is. */
export function decodePath(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}
