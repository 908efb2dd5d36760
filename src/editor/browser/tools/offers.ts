import { colorNames } from '../../../catalogue/color-names';
import { knownFolders, knownSettings, toneNames } from '../../../catalogue/known-names';
import type { Offers, Suggestion } from '../../../runtime/answers';
import { sentenceOf } from '../language/sentences';
import { entriesOf, shown } from '../operations/entry';
import type { RowField } from '../operations/field';
import type { Pickable } from '../operations/pickable';
import { valuesFor } from '../operations/values';
import { ask, words } from './ask';

const maxTargets = 500;

export interface Choices {
  readonly offers: readonly Suggestion[];
  readonly note: string;
  readonly code?: string;
}

const questions: Readonly<Record<string, string>> = {
  tone: 'tones',
  file: 'files',
  image: 'images',
  folder: 'folders',
  tag: 'tags',
  group: 'groups',
  event: 'events',
  setting: 'settings',
};

/** Values that the picker offers even without an answer of the device, keyed by kind of picker. */
const always: Readonly<Record<string, () => readonly string[]>> = {
  tone: () => toneNames,
  folder: () => [...knownFolders, ...usedNames('folders')],
  setting: () => [...new Set([...usedNames('settings'), ...knownSettings])].sort(),
};

export async function choicesFor({ field, input, model }: Pickable): Promise<Choices> {
  const { pick = 'color', format } = field;
  if (pick === 'pattern') return { offers: patterns(field, model), note: words('pick.sketch') };
  if (pick === 'color') return { offers: format === 'color' ? colors() : hexColors(), note: '' };
  if (pick === 'number') return { offers: numbers(field), note: '' };
  if (pick === 'button') return { offers: offered(usedNames('buttons')), note: '' };
  const known = always[pick]?.() ?? [];
  const target = targetChosen();
  if (target === undefined) return { offers: offered(known), note: words('pick.noDevice') };
  const typed = pick === 'file' ? input.typedInput('value') : '';
  const folder = typed.slice(0, Math.max(0, typed.lastIndexOf('/')));
  const question = { ...target, what: questions[pick] ?? pick, folder };
  try {
    const { offers, of, ...why } = await ask<Offers>('algo/offer', question);
    const own = offers.map(({ value }) => value);
    const more = [...new Set(known)].filter((value) => !own.includes(value));
    const whose = target.target === 'device' || own.length === 0 ? '' : words('pick.of', { device: of });
    const { code } = why;
    const note = noteOf(of, why) ?? whose;
    return { offers: [...offers, ...offered(more)], note, ...(code !== undefined && { code }) };
  } catch (error) {
    return { offers: offered(known), note: error instanceof Error ? error.message : String(error) };
  }
}

function noteOf(
  device: string,
  { code, sentence, localizedMessage, missing }: Omit<Offers, 'offers' | 'of'>,
): string | undefined {
  if (missing !== undefined) return words('pick.noFolder', { device, folder: missing });
  if (code === undefined || sentence === undefined) return undefined;
  return `${words(`test.code.${code}`)} ${sentenceOf(sentence, localizedMessage)}`;
}

function targetChosen(): Readonly<Record<string, unknown>> | undefined {
  const target = String($('#node-input-target').val() ?? 'device');
  if (target === 'several') {
    const targets: readonly string[] = $('[data-target="several"]').data('selected')?.() ?? [];
    // Some of the targets are enough: only one target has to answer, and the request must stay small.
    return targets.length > 0 ? { target, targets: targets.slice(0, maxTargets) } : undefined;
  }
  const id = String($(`#node-input-${target}`).val() ?? '');
  return target !== 'msg' && id !== '' && id !== '_ADD_' ? { target, [target]: id } : undefined;
}

function offered(values: Iterable<string>): Suggestion[] {
  return [...values].map((value) => ({ value }));
}

function numbers({ minimum = 0, maximum = minimum }: RowField): Suggestion[] {
  return offered(Array.from({ length: maximum - minimum + 1 }, (_, index) => String(minimum + index)));
}

function patterns(field: RowField, model: string | undefined): Suggestion[] {
  return valuesFor(field, field.names ?? [], model).map(({ value, models, isUnsupported }) => {
    const about = isUnsupported && models !== undefined ? words('form.notOn', { models }) : models;
    return { value, ...(about !== undefined && { about }) };
  });
}

function colors(): Suggestion[] {
  return offered(colorNames);
}

function hexColors(): Suggestion[] {
  const codes = [
    '#d32f2f',
    '#f57c00',
    '#fbc02d',
    '#388e3c',
    '#0097a7',
    '#1976d2',
    '#7b1fa2',
    '#5d4037',
    '#616161',
  ];
  return offered(codes);
}

type Form = ReturnType<typeof entriesOf>;

const found: Readonly<Record<string, readonly [type: string, (form: Form, operation: unknown) => string[]]>> =
  {
    settings: [
      'algo-settings',
      (form, operation) => (operation === 'put' ? Object.keys(form) : textsIn(form, 'name')),
    ],
    buttons: ['algo-console', (form) => textsIn(form, 'id')],
    folders: [
      'algo-files',
      (form, operation) =>
        textsIn(form, 'path').map((path) =>
          operation === 'list' ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 0)),
        ),
    ],
  };

function usedNames(what: string): readonly string[] {
  const [type, namesIn] = found[what] ?? [];
  const names = new Set<string>();
  RED.nodes.eachNode((node) => {
    if (node.type !== type) return;
    for (const name of namesIn?.(entriesOf(node.form), node.operation) ?? []) names.add(name);
  });
  names.delete('');
  return [...names].sort();
}

function textsIn(form: Form, field: string): string[] {
  const { type, value } = shown(form[field]);
  return type === 'str' ? [value] : [];
}
