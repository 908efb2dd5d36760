/** A node of a flow, as far as it is drawn. */
export interface DrawnNode {
  readonly id: string;
  readonly type: string;
  readonly z?: string;
  readonly name?: string;
  readonly text?: string;
  readonly x?: number;
  readonly y?: number;
  readonly l?: boolean;
  readonly wires?: readonly (readonly string[])[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const [narrowest, lowest, lineOfPorts] = [100, 30, 13];

/** Nodes that begin a flow have no port at their left. */
const beginnings = [
  ...['inject', 'catch', 'status', 'complete', 'comment', 'http in', 'mqtt in', 'link in'],
  ...['algo-receipts', 'algo-site', 'algo-webhook'],
];

/** The widths of Helvetica's letters, in thousandths of its size, from the blank on. */
const widths = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];

/** How wide and how high a node is, by the rules of Node-RED's editor. */
function sizeOf({ type, name = '', l, wires = [] }: DrawnNode): {
  readonly width: number;
  readonly height: number;
} {
  const height = Math.max(lowest, 15 * wires.length);
  if (l === false) return { width: lowest, height };
  const letters = [...name].reduce((sum, letter) => sum + (widths[letter.charCodeAt(0) - 32] ?? 1000), 0);
  const label = (letters * 14) / 1000 + 50 + (beginnings.includes(type) ? 0 : 7);
  return { width: Math.max(narrowest, 20 * Math.ceil(label / 20)), height };
}

/** Points along a wire that goes to the right. */
function* pointsOf(from: Point, to: Point): Generator<Point> {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const bend = distance < narrowest ? 0.75 * (distance / narrowest) * narrowest : 0.75 * narrowest;
  for (let t = 0; t <= 1; t += 0.01) {
    const s = 1 - t;
    const along = (a: number, b: number, c: number, d: number) =>
      s ** 3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t ** 3 * d;
    yield {
      x: along(from.x, from.x + bend, to.x - bend, to.x),
      y: along(from.y, from.y, to.y, to.y),
    };
  }
}

/** What is wrong with how a flow is drawn: nodes over each other, wires that go back, wires behind nodes. */
export function* faultsIn(flow: readonly DrawnNode[]): Generator<string> {
  const drawn = flow.filter(({ x, y }) => x !== undefined && y !== undefined);
  const boxes = drawn.map((node) => ({ node, x: node.x ?? 0, y: node.y ?? 0, ...sizeOf(node) }));
  const label = ({ name, type }: DrawnNode) => name || type;
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.node.z !== other.node.z) continue;
      const isOver =
        2 * Math.abs(one.x - other.x) < one.width + other.width &&
        2 * Math.abs(one.y - other.y) < one.height + other.height;
      if (isOver) yield `"${label(one.node)}" and "${label(other.node)}" are over each other`;
    }
  }
  for (const from of boxes) {
    const ports = from.node.wires ?? [];
    for (const [port, ids] of ports.entries()) {
      const y = from.y + (port - (ports.length - 1) / 2) * lineOfPorts;
      for (const to of boxes.filter(({ node }) => ids.includes(node.id))) {
        const wire = `the wire from "${label(from.node)}" to "${label(to.node)}"`;
        const [begin, end] = [
          { x: from.x + from.width / 2, y },
          { x: to.x - to.width / 2, y: to.y },
        ];
        if (end.x <= begin.x) {
          yield `${wire} goes back`;
          continue;
        }
        const others = boxes.filter((box) => box !== from && box !== to && box.node.z === from.node.z);
        const points = [...pointsOf(begin, end)];
        for (const box of others) {
          const isBehind = points.some(
            (point) =>
              2 * Math.abs(point.x - box.x) < box.width && 2 * Math.abs(point.y - box.y) < box.height,
          );
          if (isBehind) yield `${wire} runs behind "${label(box.node)}"`;
        }
      }
    }
  }
}
