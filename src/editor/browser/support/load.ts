import { loadScript, whenInPage } from '../page/load';
import type { markDisabled } from './disabled-targets';
import type { MarkedDialog, SupportMarks } from './marks';

declare global {
  interface Window {
    algoSupport?: {
      readonly Marks: new (dialog: MarkedDialog) => SupportMarks;
      readonly markDisabled: typeof markDisabled;
    };
  }
}

const load = () => loadScript('algo-support.js', () => window.algoSupport);

export function openSupportMarks(dialog: MarkedDialog, opened: (marks: SupportMarks) => void): void {
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
