import { playsWords } from '../language/announcement';
import { AbilityTable, type Support } from './ability-table';
import type { AlertParts } from './parts';

export class AnnouncePreview {
  private readonly effect: JQuery;
  private readonly table: AbilityTable;

  constructor(root: JQuery, node: EditorNode, parts: AlertParts) {
    const translate = node._def._;
    this.effect = root.find('.algo-announce-effect').prop('hidden', false);
    const titleOf = (action: unknown) => translate(action === playing ? 'label.audio' : 'label.text');
    this.table = new AbilityTable(
      root,
      node,
      { ...parts, titleOf },
      {
        translate: (key, words) => RED._(`@openpaging/node-red-algo/alert:${key}`, words),
        onShown: (support) => this.effect.text(sentences(translate, support).join(' ')),
      },
    );
  }

  show(): void {
    const { text } = values();
    this.table.show(text === '' ? [playing] : [playing, showing]);
  }
}

const playing = { operation: 'tone/start', form: { path: literal('tone.wav'), loop: literal(false) } };
const showing = { operation: 'screen/text-start', form: { textContent: literal('text') } };

function literal(value: unknown): object {
  return { type: typeof value === 'boolean' ? 'bool' : 'str', value: String(value) };
}

function values(): Readonly<Record<'audio' | 'chime' | 'text' | 'volume' | 'repeat', string>> {
  const shownIn = (name: string) => String($(`#node-input-${name}`).val() ?? '').trim();
  const [chime, volume, repeat] = [shownIn('chime'), shownIn('volume'), shownIn('repeat')];
  const audio = $('#node-input-audio');
  const type = audio.typedInput('type');
  const source = audio.typedInput('value');
  const text = $('#node-input-text').typedInput('value');
  return { audio: type === 'str' ? source : `${type}.${source}`, chime, text, volume, repeat };
}

/**
 * @param support the targets that might play the audio, and those that might show the text; undefined if a message
 * sets the targets
 */
function sentences(translate: Translate, support: readonly Support[] | undefined): string[] {
  const { audio, chime, text, volume, repeat } = values();
  const plays = playsWords(translate, { audio, chime, repeat });
  const said = [plays, ...(text === '' ? [] : [translate('preview.shows')])];
  const effects = said.flatMap((sentence, index) => {
    if (!support) return translate('preview.byMessage', { sentence });
    const { possible = 0, unknown = 0 } = support[index] ?? {};
    if (possible === 0) return [];
    const numbers = { count: String(possible), unknown: String(unknown) };
    return translate(unknown > 0 ? 'preview.onUnknown' : 'preview.on', { sentence, ...numbers });
  });
  if (volume === '' || support?.[0]?.possible === 0) return effects;
  return [...effects, translate('preview.volume', { volume })];
}
