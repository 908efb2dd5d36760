import { type AnnouncePreviewing, parts } from '../alert/parts';
import { addPickButton } from '../form/pick-button';
import { asText, keepOption, UnsetProperties } from '../page/inputs';
import { loadScript, whenInPage } from '../page/load';
import { offerPanelOfDevice } from '../page/panel-button';
import { openPriority, openTyped } from '../page/typed-input';
import { hideUntriedMarks } from '../page/untried';
import { modelOf } from '../targets/target';
import { openTry } from '../tools/load';
import { SeveralTargets } from './several-targets';

export class AnnounceDialog {
  readonly root = $('#node-input-overlap').closest('form');
  private readonly targets = $('#node-input-target');
  private readonly several: SeveralTargets;
  private readonly unset: UnsetProperties;
  private preview: AnnouncePreviewing | undefined;

  constructor(readonly node: EditorNode) {
    const { root, targets } = this;
    root.addClass('algo-form').find('.algo-without-plugin').remove();
    hideUntriedMarks(root, node);
    offerPanelOfDevice();
    this.several = new SeveralTargets(node, targets);
    keepOption(targets, node.target || 'device');
    keepOption($('#node-input-overlap'), node.overlap || 'queue');
    if (typeof node.split === 'string') asText($('#node-input-split'), node.split);
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
    targets.add('#node-input-device, #node-input-group').on('change', () => this.refresh());
    root.on('change input', 'input', () => this.preview?.show());
    root.on('change', '[data-target="several"]', () => this.refresh());
    openTry(({ askToTryAnnouncement }) => askToTryAnnouncement(node));
    this.refresh();
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
    loadScript('algo-alert.js', () => window.algoAlert).then(
      ({ AnnouncePreview }) => {
        whenInPage(this.root, () => {
          const picked = () => this.several.picked();
          this.preview = new AnnouncePreview(this.root, this.node, { ...parts, picked });
          this.preview.show();
        });
      },
      () => {},
    );
  }

  private refresh(): void {
    const target = this.targets.val();
    for (const row of this.root.find('[data-target]').get()) row.hidden = row.dataset.target !== target;
    this.several.show();
    this.preview?.show();
  }

  save(): void {
    this.unset.spare();
    this.several.save();
  }
}
