import { tickScreen } from '../../../virtual-device/panel/page/clocks.js';
import screenStyle from '../../../virtual-device/panel/page/screen.css';
import { screenPicture } from '../../../virtual-device/panel/page/screen.js';
import strobeStyle from '../../../virtual-device/panel/page/strobe.css';
import { strobePicture } from '../../../virtual-device/panel/page/strobe.js';
import style from './pictures.css';
import { Preview, type ScreenDialog, type ScreenShown } from './preview';

/** The drawings of the virtual device's panel, for use in a dialog. */
export interface Pictures {
  /** Draws the moving lamps of a pattern. */
  readonly lamps: (pattern: string, color: string) => HTMLElement;
  /** Draws the preview of a screen below its form, as long as the dialog is open. */
  readonly preview: (dialog: ScreenDialog) => void;
}

window.algoPictures = {
  lamps(pattern, color) {
    const { lamps } = strobePicture({ pattern: 0, color1: color, ledlvl: '255' }, { 0: pattern });
    return apart(lamps, strobeStyle);
  },
  preview(dialog) {
    new Preview(dialog, screenOf);
  },
};

function screenOf(shown: ScreenShown): HTMLElement {
  const { glass } = screenPicture(shown);
  // The device shows its own local time. The dialog does not know the device's time zone, so it uses the
  // browser's.
  tickScreen(glass, Date.now() - new Date().getTimezoneOffset() * 60_000);
  return apart(glass, screenStyle);
}

/** Puts a drawing into a shadow root, because the panel's style names could collide with other styles. */
function apart(drawing: HTMLElement, own: string): HTMLElement {
  const place = document.createElement('span');
  place.className = 'algo-picture';
  place.setAttribute('aria-hidden', 'true');
  const sheet = document.createElement('style');
  sheet.textContent = `${own}\n${style}`;
  place.attachShadow({ mode: 'open' }).append(sheet, drawing);
  return place;
}
