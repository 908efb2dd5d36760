import { loadScript, whenThere } from '../page/load';
import type { markDisabled } from './disabled-targets';
import type { MarkedDialog, SupportMarks } from './marks';

declare global {
  interface Window {
    /**
     * The marks, which their own script defines when the dialog of an action node or of a watching node
     * opens.
     */
    algoSupport?: {
      readonly Marks: new (dialog: MarkedDialog) => SupportMarks;
      readonly markDisabled: typeof markDisabled;
    };
  }
}

const load = () => loadScript('algo-support.js', () => window.algoSupport);

/** Opens the marks of a dialog. If the script fails to load, the dialog works without marks. */
export function openSupportMarks(dialog: MarkedDialog, opened: (marks: SupportMarks) => void): void {
  load().then(
    ({ Marks }) => whenThere(dialog.root, () => opened(new Marks(dialog))),
    () => {},
  );
}

/** Marks the disabled members of the selected group. If the script fails to load, nothing is marked. */
export function openDisabled(root: JQuery, node: EditorNode): void {
  load().then(
    ({ markDisabled }) => {
      const mark = () => markDisabled(root, node, []);
      whenThere(root, () => {
        root.on('change', '#node-input-target, #node-input-group', mark);
        mark();
      });
    },
    () => {},
  );
}
