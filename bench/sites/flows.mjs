/** Flows of the bench of many sites. */
import { createRequire } from 'node:module';
import { ours } from '../contestants/ours.mjs';

const { broker } = createRequire(import.meta.url)('../../dist/test/broker/flow.js');

const tab = { id: 'tab', type: 'tab', label: 'bench' };
const onTab = { z: 'tab', x: 100, y: 100 };

/** A site over these devices. */
export function siteFlow(port, name, addresses) {
  const { nodes, credentials } = ours.devices(addresses);
  const known = nodes.map((node) => ({ ...node, model: '8301', firmware: '5.7' }));
  const site = { ...onTab, id: 'site', type: 'algo-site', broker: 'broker', site: name, allow: 'tone' };
  return { flow: [tab, broker('broker', port), ...known, { ...site, wires: [[], []] }], credentials };
}

/**
 * A centre with a source for each of these targets, `{ site, device }`, and a last one whose messages name their
 * sites themselves.
 */
export function centreFlow(port, targets) {
  const sources = [...targets, undefined].flatMap((target, index) => [
    {
      ...onTab,
      id: `source${index}`,
      type: 'bench-source',
      index,
      wires: [[target ? `to${index}` : 'remote']],
    },
    ...(target ? [aimed(`to${index}`, target)] : []),
  ]);
  const remote = {
    ...onTab,
    id: 'remote',
    type: 'algo-remote',
    broker: 'broker',
    // It must not be done twice: the dearest kind of job.
    job: {
      operation: 'tone/start',
      form: { path: { type: 'str', value: 'chime.wav' }, loop: { type: 'bool', value: 'false' } },
    },
    ttl: '60',
    wires: [['sink'], []],
  };
  const ends = [
    { ...onTab, id: 'sink', type: 'bench-sink', wires: [] },
    { ...onTab, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { ...onTab, id: 'errors', type: 'bench-sink', errors: true, wires: [] },
  ];
  return { flow: [tab, broker('broker', port), ...sources, remote, ...ends], credentials: {} };
}

/** Says in the message whom it is for. */
function aimed(id, { site, device }) {
  const set = (p, to) => ({ t: 'set', p, pt: 'msg', to, tot: 'str' });
  return {
    ...onTab,
    id,
    type: 'change',
    rules: [set('site', site), set('device', device)],
    wires: [['remote']],
  };
}
