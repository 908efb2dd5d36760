import { Sidebar } from './sidebar';
import style from './sidebar.css';

const opened = new WeakSet<HTMLElement>();

declare global {
  interface Window {
    /** The sidebar, which its own script defines when the sidebar is first shown. */
    algoSidebar?: { open(content: HTMLElement): void };
  }
}

window.algoSidebar = {
  /** Opens the sidebar; does nothing if it is already open. */
  open(content) {
    if (opened.has(content)) return;
    opened.add(content);
    $('<style>').text(style).appendTo(document.head);
    new Sidebar(content);
  },
};
