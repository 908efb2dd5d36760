import { loadScript, whenInPage } from '../page/load';
import type { MarkedDialog, Marks } from './marks';
import type { SupportScript } from './script';

const load = () => loadScript<SupportScript>('support');

export function openSupportMarks(dialog: MarkedDialog, opened: (marks: Marks) => void): void {
  load().then(
    ({ Marks }) => whenInPage(dialog.root, () => opened(new Marks(dialog))),
    () => {},
  );
}

export function openDisabled(root: JQuery, node: EditorNode): void {
  load().then(
    ({ markDisabled }) => {
      const mark = () => markDisabled(root, node, []);
      whenInPage(root, () => {
        root.on('change', '#node-input-target, #node-input-group', mark);
        mark();
      });
    },
    () => {},
  );
}
