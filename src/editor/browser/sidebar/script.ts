import { Sidebar } from './sidebar';
import style from './sidebar.css';

const opened = new WeakSet<HTMLElement>();

declare global {
  interface Window {
    algoSidebar?: { open(content: HTMLElement): void };
  }
}

window.algoSidebar = {
  open(content) {
    if (opened.has(content)) return;
    opened.add(content);
    $('<style>').text(style).appendTo(document.head);
    new Sidebar(content);
  },
};
