import { tagsIn } from './devices';

/** A button for each tag that exists, which puts it into a comma-separated list, or takes it out. */
export function openChips(root: JQuery, box: JQuery, existing: readonly string[], title: string): void {
  if (existing.length === 0) return;
  root.attr({ role: 'group', 'aria-label': title });
  const chips = existing.map((tag) =>
    $('<button type="button" class="red-ui-button red-ui-button-small algo-chip">')
      .text(tag)
      .on('click', () => {
        const tags = tagsIn(box.val());
        const others = tags.filter((one) => one !== tag);
        box.val((others.length < tags.length ? others : [...tags, tag]).join(', ')).trigger('change');
      }),
  );
  root.append(chips);
  const show = () => {
    const tags = tagsIn(box.val());
    for (const chip of chips) {
      const isIn = tags.includes(chip.text());
      chip.attr('aria-pressed', String(isIn));
    }
  };
  box.on('input change', show);
  show();
}
