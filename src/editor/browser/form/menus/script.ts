import { type FieldChoice, FieldMenu } from './menu';
import { openSeveral } from './target-list';

const open = new WeakMap<FieldChoice, FieldMenu>();

const menus = {
  toggle(choice: FieldChoice): void {
    const menu = open.get(choice);
    if (menu?.isOpen) menu.close(true);
    else open.set(choice, new FieldMenu(choice));
  },
  openSeveral,
};

export type FieldMenus = typeof menus;

window.algoFields = menus;
