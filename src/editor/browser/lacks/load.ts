import { loadScript, whenThere } from '../page/load';
import type { markDisabled } from './disabled-targets';
import type { LackMarks, MarkedDialog } from './marks';

declare global {
  interface Window {
    /** Brought by a file of its own, when the dialog of an action or of a watching node opens. */
    algoLacks?: {
      readonly Marks: new (dialog: MarkedDialog) => LackMarks;
      readonly markDisabled: typeof markDisabled;
    };
  }
}

const load = () => loadScript('algo-lacks.js', () => window.algoLacks);

/** Marks what the targets of a dialog lack; without its script nothing is marked. */
export function openLacks(dialog: MarkedDialog, opened: (marks: LackMarks) => void): void {
  load().then(
    ({ Marks }) => whenThere(dialog.root, () => opened(new Marks(dialog))),
    () => {},
  );
}

/** Marks which members of the chosen group are disabled, while one may choose; without the script nothing is marked. */
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
