import { tickScreen } from '../../../virtual-device/panel/page/clocks.js';
import screenStyle from '../../../virtual-device/panel/page/screen.css';
import { screenPicture } from '../../../virtual-device/panel/page/screen.js';
import strobeStyle from '../../../virtual-device/panel/page/strobe.css';
import { strobePicture } from '../../../virtual-device/panel/page/strobe.js';
import style from './pictures.css';
import { Preview, type ScreenDialog, type ScreenShown } from './preview';

const pictures = {
  lamps(pattern: string, color: string): HTMLElement {
    const { lamps } = strobePicture({ pattern: 0, color1: color, ledlvl: '255' }, { 0: pattern });
    return inShadowRoot(lamps, strobeStyle);
  },
  preview(dialog: ScreenDialog): void {
    new Preview(dialog, screenOf);
  },
};

export type Pictures = typeof pictures;

window.algoPictures = pictures;

function screenOf(shown: ScreenShown): HTMLElement {
  const { glass } = screenPicture(shown);
  // A device shows its local time. The time zone of the device is unknown here, so the picture uses the time
  // zone of the browser.
  tickScreen(glass, Date.now() - new Date().getTimezoneOffset() * 60_000);
  return inShadowRoot(glass, screenStyle);
}

/**
 * Puts a drawing into a shadow root, since the class names of the panel's style might also occur in the
 * editor.
 */
function inShadowRoot(drawing: HTMLElement, own: string): HTMLElement {
  const place = document.createElement('span');
  place.className = 'algo-picture';
  place.setAttribute('aria-hidden', 'true');
  const sheet = document.createElement('style');
  sheet.textContent = `${own}\n${style}`;
  place.attachShadow({ mode: 'open' }).append(sheet, drawing);
  return place;
}
