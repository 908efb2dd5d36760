import { colorNames } from '../../../catalogue/color-names';
import { toneNames } from '../../../catalogue/tone-names';
import type { Offer, Offers } from '../../../runtime/admin/answers';
import { entriesOf, shown } from '../entry';
import { valuesFor } from '../models';
import type { Pickable } from '../pickable';
import type { RowField } from '../row-field';
import { sentenceOf } from '../sentences';
import { ask, words } from './ask';

const minuteMs = 60_000;

/** What devices said, by device and question; it counts for a minute. */
const known = new Map<string, { readonly at: number; readonly offers: Promise<Offers> }>();

/** What there is to choose from for a row, and what a person should know about it. */
export interface Choices {
  readonly offers: readonly Offer[];
  readonly note: string;
}

/** The operations of devices that a pick is answered by. */
const questions: Readonly<Record<string, string>> = {
  tone: 'tones',
  file: 'files',
  tag: 'tags',
  group: 'groups',
  event: 'events',
};

/** @param isFresh whether what was said before does not count */
export async function choicesFor({ field, input, model }: Pickable, isFresh: boolean): Promise<Choices> {
  const { pick = 'color', format } = field;
  if (pick === 'pattern') return { offers: patterns(field, model), note: words('pick.sketch') };
  if (pick === 'color') return { offers: format === 'color' ? colors() : hexColors(), note: '' };
  if (pick === 'setting') return { offers: settingsUsed(), note: '' };
  if (pick === 'folder') return { offers: [{ value: 'tones' }], note: '' };
  const always = pick === 'tone' ? toneNames.map((value) => ({ value })) : [];
  const device = deviceChosen();
  if (device === undefined) return { offers: always, note: words('pick.noDevice') };
  const typed = input.typedInput('value');
  const folder = pick === 'file' && typed.includes('/') ? typed.slice(0, typed.lastIndexOf('/')) : '';
  try {
    const { offers, sentence, said } = await askDevice(device, questions[pick] ?? pick, folder, isFresh);
    const own = offers.map(({ value }) => value);
    const more = always.filter(({ value }) => !own.includes(value));
    return { offers: [...offers, ...more], note: sentence === undefined ? '' : sentenceOf(sentence, said) };
  } catch (error) {
    return { offers: always, note: error instanceof Error ? error.message : String(error) };
  }
}

function askDevice(id: string, what: string, folder: string, isFresh: boolean): Promise<Offers> {
  const key = JSON.stringify([id, what, folder]);
  const before = known.get(key);
  if (before && !isFresh && Date.now() - before.at < minuteMs) return before.offers;
  const offers = ask<Offers>(`algo/devices/${encodeURIComponent(id)}/offer`, { what, folder });
  known.set(key, { at: Date.now(), offers });
  const forget = () => known.delete(key);
  // What went wrong may go well the next time.
  offers.then(({ code }) => code && forget(), forget);
  return offers;
}

/** The device of the open dialog; undefined where a group or a message says which. */
function deviceChosen(): string | undefined {
  const id = String($('#node-input-device').val() ?? '');
  const target = String($('#node-input-target').val() ?? 'device');
  return target === 'device' && id !== '' && id !== '_ADD_' ? id : undefined;
}

/** The patterns, with the models that have them where the model is not known, and those that it lacks. */
function patterns(field: RowField, model: string | undefined): Offer[] {
  return valuesFor(field, field.names ?? [], model).map(({ value, models, isLacking }) => {
    const about = isLacking && models !== undefined ? words('form.notOn', { models }) : models;
    return { value, ...(about !== undefined && { about }) };
  });
}

function colors(): Offer[] {
  return [...colorNames].map((value) => ({ value }));
}

/** For fields that take codes only: the few that everybody tells apart. */
function hexColors(): Offer[] {
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
  return codes.map((value) => ({ value }));
}

/** The settings that other nodes of this editor read or write. */
function settingsUsed(): Offer[] {
  const names = new Set<string>();
  RED.nodes.eachNode((node) => {
    if (node.type !== 'algo-settings') return;
    const form = entriesOf(node.form);
    if (node.operation === 'put') for (const name of Object.keys(form)) names.add(name);
    else if (form.name !== undefined && shown(form.name).type === 'str') names.add(shown(form.name).value);
  });
  names.delete('');
  return [...names].sort().map((value) => ({ value }));
}
