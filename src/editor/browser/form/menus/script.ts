import { type FieldChoice, FieldMenu } from './menu';
import { openSeveral } from './target-list';

export interface FieldMenus {
  readonly toggle: (choice: FieldChoice) => void;
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
