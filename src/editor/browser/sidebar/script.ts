import { Sidebar } from './sidebar';
import style from './sidebar.css';

const opened = new WeakSet<HTMLElement>();

const script = {
  open(content: HTMLElement): void {
    if (opened.has(content)) return;
    opened.add(content);
    $('<style>').text(style).appendTo(document.head);
    new Sidebar(content);
  },
};

export type SidebarScript = typeof script;

window.algoSidebar = script;
