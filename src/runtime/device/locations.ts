/** What has a name, and is somewhere. */
interface Located {
  readonly id: string;
  /** The same for all that are one device; undefined where that cannot be told. */
  readonly where: string | undefined;
}

/** The names that lead to one place. */
interface Names<T> {
  readonly nodes: T[];
  readonly rows: T[];
}

/**
 * Which names lead to the same device. A row of a group is another name for a node, or for an earlier row, with its
 * address. Two nodes with one address stay two targets of a message, though there is one device.
 */
export class Locations<T extends Located> {
  readonly #at = new Map<string, Names<T>>();

  /** @param isRow whether that of this id is a row */
  constructor(
    all: Iterable<T>,
    private readonly isRow: (id: string) => boolean,
  ) {
    for (const name of all) {
      const { id, where } = name;
      if (where === undefined) continue;
      const names = this.#at.get(where) ?? { nodes: [], rows: [] };
      names[isRow(id) ? 'rows' : 'nodes'].push(name);
      this.#at.set(where, names);
    }
  }

  /** The one of its names that a message is addressed to. */
  mainOf(name: T): T {
    if (!this.isRow(name.id)) return name;
    const { nodes, rows } = this.#namesOf(name);
    return nodes[0] ?? rows[0] ?? name;
  }

  /** The one of the names that lead there. */
  at(where: string): T | undefined {
    const { nodes = [], rows = [] } = this.#at.get(where) ?? {};
    return nodes[0] ?? rows[0];
  }

  /** Ids of the same device under other names. */
  othersOf(name: T): string[] {
    const { nodes, rows } = this.#namesOf(name);
    return [...nodes, ...rows].flatMap(({ id }) => (id === name.id ? [] : id));
  }

  #namesOf({ where }: T): Names<T> {
    return (where === undefined ? undefined : this.#at.get(where)) ?? { nodes: [], rows: [] };
  }
}
