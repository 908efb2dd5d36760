import { loadScript, whenThere } from '../page/load';
import type { ScreenDialog } from './preview';
import type { Pictures } from './script';

declare global {
  interface Window {
    /** Brought by a file of its own, when there is something to draw. */
    algoPictures?: Pictures;
  }
}

/** Loads what draws lights and displays; rejects where it cannot be had. */
export function loadPictures(): Promise<Pictures> {
  return loadScript('algo-pictures.js', () => window.algoPictures);
}

/** Draws what a screen's dialog says, where that can be loaded; nobody needs it to fill the form in. */
export function openPreview(dialog: ScreenDialog): void {
  loadPictures().then(
    ({ preview }) => whenThere(dialog.root, () => preview(dialog)),
    () => {},
  );
}
