import type { AnnouncePreview } from '../alert/announce-preview';
import { parts } from '../alert/parts';
import type { AlertScript } from '../alert/script';
import { addPickButton } from '../form/pick-button';
import { keepOption, showStoredText, UnsetProperties } from '../page/inputs';
import { loadScript, whenInPage } from '../page/load';
import { openPriority, openTyped } from '../page/typed-input';
import { modelOf } from '../targets/target';
import { openTry } from '../tools/load';
import { Targets } from './targets';

export class AnnounceDialog {
  readonly root = $('#node-input-overlap').closest('form');
  private readonly targets: Targets;
  private readonly unset: UnsetProperties;
  private preview: AnnouncePreview | undefined;

  constructor(readonly node: EditorNode) {
    const { root } = this;
    this.targets = new Targets(root, node, () => this.preview?.show());
    keepOption($('#node-input-overlap'), node.overlap || 'queue');
    showStoredText($('#node-input-split'), node.split);
    const { toneParameters } = node;
    if (Object(toneParameters) === toneParameters)
      $('#node-input-toneParameters').val(JSON.stringify(toneParameters));
    const audio = openTyped('audio', ['msg', 'flow', 'global', 'str']);
    openTyped('text', ['str', 'msg']);
    openPriority();
    this.offerTones($('#node-input-chime'), (tone) => $('#node-input-chime').val(tone).trigger('change'));
    this.offerTones(audio, (tone) => {
      audio.typedInput('type', 'str');
      audio.typedInput('value', tone);
    });
    this.unset = new UnsetProperties(node);
    root.on('change input', 'input', () => this.preview?.show());
    openTry(({ askToTryAnnouncement }) => askToTryAnnouncement(node));
    this.load();
  }

  private offerTones(input: JQuery, use: (tone: string) => void): void {
    const [element] = input.closest('.form-row').get();
    if (!element) return;
    const { node } = this;
    const [label] = $(element).find('label').get();
    if (label) label.id ||= `${input.attr('id')}-label`;
    addPickButton(
      {
        ...{ element, input, field: { pick: 'tone' }, translate: node._def._, model: modelOf(node) },
        show: ({ value }) => use(value),
      },
      label?.id,
    );
  }

  private load(): void {
    loadScript<AlertScript>('alert').then(
      ({ AnnouncePreview }) => {
        whenInPage(this.root, () => {
          const picked = () => this.targets.picked;
          this.preview = new AnnouncePreview(this.root, this.node, { ...parts, picked });
          this.preview.show();
        });
      },
      () => {},
    );
  }

  save(): void {
    this.unset.spare();
    this.targets.save();
  }
}
