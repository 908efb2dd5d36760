import { loadScript, whenInPage } from '../page/load';
import type { ScreenDialog } from './preview';
import type { Pictures } from './script';

declare global {
  interface Window {
    algoPictures?: Pictures;
  }
}

export function loadPictures(): Promise<Pictures> {
  return loadScript('algo-pictures.js', () => window.algoPictures);
}

export function openPreview(dialog: ScreenDialog): void {
  loadPictures().then(
    ({ preview }) => whenInPage(dialog.root, () => preview(dialog)),
    () => {},
  );
}
