import { type FieldChoice, FieldMenu } from './menu';
import { openSeveral } from './target-list';

/** What helps to fill a form in, and is loaded when it is used. */
export interface FieldMenus {
  /** Opens the menu of the fields that may be added, or closes it. */
  readonly toggle: (choice: FieldChoice) => void;
  /** Lists what may be ticked as a target. */
  readonly openSeveral: typeof openSeveral;
}

const open = new WeakMap<FieldChoice, FieldMenu>();

window.algoFields = {
  toggle(choice) {
    const menu = open.get(choice);
    if (menu?.isOpen) menu.close(true);
    else open.set(choice, new FieldMenu(choice));
  },
  openSeveral,
};
