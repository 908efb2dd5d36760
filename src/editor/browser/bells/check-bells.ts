import { readBells } from '../../../bells/bell';
import type { Fields, Shape } from '../../../catalogue/operation';
import type { FormatPhrase } from '../../../catalogue/phrases';
import { judge } from '../../judge';
import { inWords } from '../language/sentences';
import type { RowField } from '../operations/field';
import type { GivenBell } from './cells';

interface BellFinding {
  /** Index of the bell in the list, from 0. */
  readonly index: number;
  readonly sentence: string;
}

/** Cache of the shape of each field: each new shape object would need a newly compiled check. */
const shapes = new WeakMap<RowField, Shape>();

export async function checkBells(
  field: RowField,
  bells: readonly GivenBell[],
  formatPhrase: FormatPhrase,
): Promise<BellFinding[]> {
  const shape = shapes.get(field) ?? {
    fields: { bells: field } as unknown as Fields,
    required: [],
    rules: [],
  };
  shapes.set(field, shape);
  const findings = bells.flatMap((bell, index) =>
    judge(shape, { bells: [bell] }, formatPhrase).map(({ sentence }) => ({
      index,
      sentence: withoutPlace(sentence),
    })),
  );
  const read = await readBells([...bells], inWords(formatPhrase));
  for (const sentence of read.findings.map(String)) {
    const [, index = '0'] = /^bells\[(\d+)\]/.exec(sentence) ?? [];
    findings.push({ index: Number(index), sentence: withoutPlace(sentence) });
  }
  return findings.sort((a, b) => a.index - b.index);
}

function withoutPlace(sentence: string): string {
  return sentence.replace(/^bells\[\d+\][. ]/, '');
}
