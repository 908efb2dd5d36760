import { loadScript, whenThere } from '../page/load';
import type { ScreenDialog } from './preview';
import type { Pictures } from './script';

declare global {
  interface Window {
    /** The drawings, which their own script defines when a dialog has something to draw. */
    algoPictures?: Pictures;
  }
}

/**
 * Loads the drawings of lights and displays.
 * @throws Error if the script cannot be loaded
 */
export function loadPictures(): Promise<Pictures> {
  return loadScript('algo-pictures.js', () => window.algoPictures);
}

/** Opens the preview of a screen. If the script fails to load, the form works without the preview. */
export function openPreview(dialog: ScreenDialog): void {
  loadPictures().then(
    ({ preview }) => whenThere(dialog.root, () => preview(dialog)),
    () => {},
  );
}
