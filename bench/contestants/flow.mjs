/** Flows: the same ends around what each contestant is made of. */

const tab = { id: 'tab', type: 'tab', label: 'bench' };
const onTab = { z: 'tab', x: 100, y: 100 };

/** Where messages end, and where errors do. */
const ends = [
  { ...onTab, id: 'sink', type: 'bench-sink', wires: [] },
  { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
  { ...onTab, id: 'errors', type: 'bench-sink', errors: true, wires: [] },
];

/**
 * A flow in which one source leads to many actions at once.
 */
export function fanFlow(kind, addresses, job) {
  const { nodes, credentials } = kind.devices(addresses);
  const ids = addresses.map((_, index) => `action${index}`);
  const actions = ids.flatMap((id, index) => wired(kind.action(id, job, [index], addresses), 'sink'));
  const source = { ...onTab, id: 'source', type: 'bench-source', index: 0, wires: [ids] };
  return { flow: [tab, ...nodes, source, ...actions, ...ends], credentials };
}

/**
 * A flow of chains, each from a source over what does the job to the sink.
 * @param {object[]} chains `{ job, targets }`, the n-th of them entered by the n-th source
 * @param {object[]} [extra] further nodes
 */
export function actionFlow(kind, addresses, chains, extra = []) {
  const { nodes, credentials } = kind.devices(addresses);
  const chained = chains.flatMap(({ job, targets }, index) => [
    { ...onTab, id: `source${index}`, type: 'bench-source', index, wires: [[`action${index}`]] },
    ...wired(kind.action(`action${index}`, job, targets, addresses), 'sink'),
  ]);
  const placed = extra.map((node) => ({ ...onTab, wires: [], ...node }));
  return { flow: [tab, ...nodes, ...chained, ...ends, ...placed], credentials };
}

/** A flow that reads each device all the time, and tells of each change of its relay input. */
export function watchFlow(kind, addresses, seconds) {
  const { nodes, credentials } = kind.devices(addresses);
  const watching = addresses.flatMap((address, index) => [
    ...wired(kind.watch(index, address, seconds), `edge${index}`),
    { ...onTab, id: `edge${index}`, type: 'bench-sink', edgesOf: address, wires: [] },
  ]);
  return { flow: [tab, ...nodes, ...watching], credentials };
}

/** The nodes on the tab; those that lead nowhere lead to the next. */
function wired(nodes, next) {
  return nodes.map((node) => ({ ...onTab, wires: node.outputs === 2 ? [[next], []] : [[next]], ...node }));
}
