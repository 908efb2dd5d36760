import { Sidebar } from './sidebar';
import style from './sidebar.css';

const opened = new WeakSet<HTMLElement>();

declare global {
  interface Window {
    /** Brought by a file of its own, when the sidebar is first shown. */
    algoSidebar?: { open(content: HTMLElement): void };
  }
}

window.algoSidebar = {
  /** However often it is shown. */
  open(content) {
    if (opened.has(content)) return;
    opened.add(content);
    $('<style>').text(style).appendTo(document.head);
    new Sidebar(content);
  },
};
