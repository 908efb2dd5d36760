import type { TrialFinding } from '../../../runtime/answers';
import { sentenceOf } from '../language/sentences';
import { type GroupRow, isBlank, keptPassword, nameOfRow } from '../targets/group-rows';
import { ask, words } from './ask';
import { deviceValues } from './device-values';
import { Report } from './report';

const maxParallel = 8;

/** Maximum number of devices that the report names. */
const maxNamed = 100;

interface RowsDialog {
  readonly group: string;
  rows(): readonly GroupRow[];
  /** Writes cells into the rows of the table. */
  fill(cellsOf: (row: GroupRow) => Partial<GroupRow>): void;
}

interface TestedRow {
  readonly row: GroupRow;
  readonly finding: TrialFinding;
}

/**
 * Tests each row with the settings that the dialog has now, and enters the models that the devices name. No further row
 * is tested once the dialog is closed.
 */
export async function testRows(button: JQuery, dialog: RowsDialog): Promise<void> {
  const container = $('#algo-group-tested');
  const rows = dialog.rows().filter((row) => !isBlank(row));
  const shared = deviceValues();
  const isOpen = () => button.get(0)?.isConnected === true;
  button.prop('disabled', true);
  try {
    const requestOf = (row: GroupRow) => requestFor(row, dialog.group, shared);
    const tested = await testEach(rows, requestOf, isOpen, (ended) => {
      const counts = { ended: String(ended), all: String(rows.length) };
      container.text(words('test.rows.asking', counts));
    });
    if (!isOpen()) return;
    dialog.fill((row) => ({ model: row.model || modelOf(row, tested) }));
    report(new Report(container), tested, dialog);
  } catch (error) {
    new Report(container).add('bad', error instanceof Error ? error.message : String(error)).done();
  } finally {
    button.prop('disabled', false);
  }
}

/** @throws Refusal if Node-RED refuses a request */
async function testEach(
  rows: readonly GroupRow[],
  requestOf: (row: GroupRow) => object,
  isOpen: () => boolean,
  onProgress: (ended: number) => void,
): Promise<TestedRow[]> {
  const tested: TestedRow[] = [];
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row && isOpen(); row = waiting.shift()) {
      tested.push({ row, finding: await ask<TrialFinding>('algo/test', requestOf(row)) });
      onProgress(tested.length);
    }
  };
  onProgress(0);
  try {
    await Promise.all(Array.from({ length: maxParallel }, work));
  } finally {
    waiting.length = 0;
  }
  return tested.sort((a, b) => rows.indexOf(a.row) - rows.indexOf(b.row));
}

function requestFor(
  row: GroupRow,
  group: string,
  { values, password }: ReturnType<typeof deviceValues>,
): object {
  const { address, fingerprint } = row;
  const own = row.password === '' ? password : row.password;
  return {
    id: `${group}/${nameOfRow(row)}`,
    values: { ...values, address, fingerprint },
    ...(own !== keptPassword && own !== undefined && { password: own }),
  };
}

function modelOf(row: GroupRow, tested: readonly TestedRow[]): string {
  const found = tested.find((one) => one.row.address === row.address)?.finding;
  return (found?.finding === 'works' && found.model) || '';
}

function report(shown: Report, tested: readonly TestedRow[], dialog: RowsDialog): void {
  const isWorking = ({ finding: { finding } }: TestedRow) => finding === 'works';
  const counts = { count: String(tested.filter(isWorking).length), all: String(tested.length) };
  shown.add(tested.every(isWorking) ? 'good' : 'bad', words('test.rows.works', counts));
  const others = tested.filter((one) => !isWorking(one));
  for (const { row, finding } of others.slice(0, maxNamed)) {
    shown.detail(words('test.rows.row', { name: nameOfRow(row), sentence: wordsOf(finding) }));
  }
  const prints = new Map(
    others.flatMap(({ row: { address }, finding: { finding, certificate } }) =>
      finding === 'certificate' && certificate ? [[address, certificate.fingerprint]] : [],
    ),
  );
  if (prints.size > 0) {
    shown.button(words('test.rows.trust', { count: String(prints.size) }), () => {
      $('#node-config-input-certificate').val('pin').trigger('change');
      dialog.fill(({ address, fingerprint }) => ({
        fingerprint: fingerprint || (prints.get(address) ?? ''),
      }));
      shown.add('good', words('test.trusted')).done();
    });
  }
  shown.done();
}

function wordsOf(found: TrialFinding): string {
  const {
    finding,
    code = 'PROTOCOL',
    product = '',
    use = '',
    certificate,
    sentence,
    localizedMessage,
  } = found;
  if (finding === 'scheme')
    return words(use.startsWith('https') ? 'test.wantsTls' : 'test.wantsPlain', { use });
  if (finding === 'login') return words('test.code.AUTHENTICATION');
  if (finding === 'failed')
    return sentence ? sentenceOf(sentence, localizedMessage) : words(`test.code.${code}`);
  const told = words(`test.${finding}`, { product });
  return certificate
    ? `${told} ${words('test.fingerprint', { fingerprint: certificate.fingerprint })}`
    : told;
}
