import { type FieldChoice, FieldMenu } from './menu';
import { openSeveral } from './target-list';

/** The menus of a form, loaded on demand. */
export interface FieldMenus {
  /** Opens the menu of the fields that the user can add; closes it if it is open. */
  readonly toggle: (choice: FieldChoice) => void;
  /** Lists the devices, groups and tags that the user can select as targets. */
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
