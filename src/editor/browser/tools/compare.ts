import type { Difference } from '../../../runtime/answers';
import { sentenceOf } from '../language/sentences';
import { current } from '../page/inputs';
import { targetMembers } from '../targets/target-members';
import { words } from './ask';
import { Report } from './report';
import { type DialogValues, type TryBlocker, tryBlockerAt, wantedOf } from './try-blocker';
import { followDialog, reportBlocker, runCommand, type TriedTargets } from './try-it';

/**
 * Shows which settings of the profile in a dialog differ at its targets. Nothing is written.
 * @param picked the targets of a node with several targets
 */
export async function compareSettings(
  node: EditorNode,
  values: DialogValues,
  picked: readonly string[],
  now: () => DialogValues,
): Promise<void> {
  const container = $('#algo-tried');
  if (container.attr('aria-busy') === 'true') return;
  const isAsBefore = followDialog(container, now);
  const [first] = targetMembers(node, picked) ?? [];
  const wanted = blockerAt(node, picked, first?.id) ?? wantedOf(node, values, true);
  if ('sentence' in wanted) {
    reportBlocker(new Report(container), wanted);
    return;
  }
  const targets = { target: current(node, 'target') || 'device', targets: picked };
  const chosen = { ...targets, device: current(node, 'device'), group: current(node, 'group') };
  const request = {
    ...wanted,
    operation: 'compare',
    resource: 'settings',
    id: node.id,
    name: node.name,
    chosen,
  };
  const command = { container, device: first?.id ?? '', request };
  await runCommand(command, isAsBefore, (report, tried) => show(report, tried, container));
}

function blockerAt(
  node: EditorNode,
  picked: readonly string[],
  first: string | undefined,
): TryBlocker | undefined {
  const target = String(current(node, 'target') || 'device');
  if (first === undefined) return { sentence: words('compare.noTarget') };
  const ids = target === 'several' ? picked : [String(current(node, target))];
  const nodes = ids.flatMap((id) => RED.nodes.node(id.replace(/^group:/, '')) ?? []);
  return nodes.map(tryBlockerAt).find((blocker) => blocker !== undefined);
}

function show(report: Report, tried: TriedTargets, container: JQuery): void {
  const { receipts, differences = [], more = 0 } = tried;
  for (const { device, error, localized } of receipts) {
    if (!error) continue;
    report.add('bad', words('compare.failed', { device }));
    report.detail(sentenceOf(error.message, localized.sentence)).help(error.code);
  }
  if (receipts.every(({ error }) => error)) return;
  const count = String(differences.length + more);
  if (differences.length === 0) report.add('good', words('compare.same'));
  else report.add('weak', words('compare.found', { count }));
  if (more > 0) report.detail(words('compare.more', { count: String(differences.length) }));
  if (differences.length > 0) tableOf(differences).appendTo(container);
}

const columns = ['device', 'setting', 'is', 'wanted'] as const;

function tableOf(differences: readonly Difference[]): JQuery {
  const head = columns.map((column) => $('<th scope="col">').text(words(`compare.${column}`)));
  const rows = differences.map((difference) =>
    $('<tr>').append(columns.map((column) => $('<td>').text(difference[column] ?? words('compare.unknown')))),
  );
  const table = $('<table>').append($('<thead>').append($('<tr>').append(head)), $('<tbody>').append(rows));
  const region = $('<div class="algo-compared" role="region" tabindex="0">').append(table);
  return region.attr('aria-label', words('compare.caption'));
}
