import { loadScript, whenInPage } from '../page/load';
import type { ScreenDialog } from './preview';
import type { Pictures } from './script';

export function loadPictures(): Promise<Pictures> {
  return loadScript('pictures');
}

export function openPreview(dialog: ScreenDialog): void {
  loadPictures().then(
    ({ preview }) => whenInPage(dialog.root, () => preview(dialog)),
    () => {},
  );
}
