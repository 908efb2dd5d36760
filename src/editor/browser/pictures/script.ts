import { tickScreen } from '../../../virtual-device/panel/page/clocks.js';
import screenStyle from '../../../virtual-device/panel/page/screen.css';
import { screenPicture } from '../../../virtual-device/panel/page/screen.js';
import strobeStyle from '../../../virtual-device/panel/page/strobe.css';
import { strobePicture } from '../../../virtual-device/panel/page/strobe.js';
import style from './pictures.css';
import { Preview, type ScreenDialog, type ScreenShown } from './preview';

/** What the panel of a virtual device draws, for a dialog. */
export interface Pictures {
  /** How a pattern of this name moves. */
  readonly lamps: (pattern: string, color: string) => HTMLElement;
  /** Draws below the form of a screen what the display would show, for as long as the dialog is open. */
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
  // The device writes its own time; a dialog does not know which zone it is in.
  tickScreen(glass, Date.now() - new Date().getTimezoneOffset() * 60_000);
  return apart(glass, screenStyle);
}

/** In a root of its own, since the panel's names for styles are not made to be beside others. */
function apart(drawing: HTMLElement, own: string): HTMLElement {
  const place = document.createElement('span');
  place.className = 'algo-picture';
  place.setAttribute('aria-hidden', 'true');
  const sheet = document.createElement('style');
  sheet.textContent = `${own}\n${style}`;
  place.attachShadow({ mode: 'open' }).append(sheet, drawing);
  return place;
}
