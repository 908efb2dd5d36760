import { Sidebar } from './sidebar';
import style from './sidebar.css';

const opened = new WeakSet<HTMLElement>();

declare global {
  interface Window {
    /** The sidebar; undefined until its script was loaded, when the sidebar is first shown. */
    algoSidebar?: { open(content: HTMLElement): void };
  }
}

window.algoSidebar = {
  /** Creates the sidebar in an element, unless the element already contains it. */
  open(content) {
    if (opened.has(content)) return;
    opened.add(content);
    $('<style>').text(style).appendTo(document.head);
    new Sidebar(content);
  },
};
