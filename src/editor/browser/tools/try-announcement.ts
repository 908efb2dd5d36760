import { playsWords } from '../language/announcement';
import type { DialogValues } from './try-blocker';
import { askToTry } from './try-it';

/** A tone that all devices have. "Try it" plays this tone instead of audio from a message or a context. */
const sample = 'speech-test.wav';

/** The properties whose input holds a text. */
const plain = ['chime', 'repeat', 'interval', 'volume', 'volumeSetting', 'toneParameters', 'overlap'];

const nothing = { type: 'str', value: '' };

export function askToTryAnnouncement(node: EditorNode): void {
  askToTry(node, valuesShown(node), () => valuesShown(node));
}

function valuesShown(node: EditorNode): DialogValues {
  const translate = node._def._;
  const texts = Object.fromEntries(
    plain.map((name) => [name, { type: 'str', value: String($(`#node-input-${name}`).val() ?? '').trim() }]),
  );
  const [audio, text, priority] = [typed('audio'), typed('text'), typed('priority')];
  const isSample = audio.type !== 'str';
  const sound = isSample ? sample : audio.value;
  const [chime = '', repeat = ''] = ['chime', 'repeat'].map((name) => texts[name]?.value);
  const sentence = playsWords(translate, { audio: sound, chime, repeat });
  return {
    operation: 'play',
    stop: translate('try.stop'),
    form: {
      ...texts,
      audio: { type: 'str', value: sound },
      text: text.type === 'msg' ? nothing : text,
      priority: priority.type === 'msg' ? nothing : priority,
    },
    notes: [
      translate('try.sounds', { sentence }),
      ...(isSample ? [translate('try.sample', { tone: sample, audio: `${audio.type}.${audio.value}` })] : []),
      ...(text.type === 'msg' && text.value !== '' ? [translate('try.noText')] : []),
    ],
  };
}

function typed(name: string): { readonly type: string; readonly value: string } {
  const input = $(`#node-input-${name}`);
  return { type: input.typedInput('type'), value: input.typedInput('value') };
}
