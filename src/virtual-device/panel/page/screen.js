import { analog, clockFace, digital } from './clocks.js';
import { draw, make } from './dom.js';
import { translate } from './words.js';

const clockKinds = ['digitalClock', 'analogClock'];

/** The text sizes of section 4.8.1; the number for `large` is not from the interface document. */
const sizes = { tiny: 60, small: 100, medium: 200, large: 300 };

/**
 * Backgrounds, which the interface document does not define. The default colors are visible on these
 * backgrounds: black on light, black and white on medium.
 */
const light = 'white';
const medium = '#6b7683';

/** Backgrounds and line colors from section 4.8.2; "white on red" is a text color and a background. */
const templateLooks = {
  announcement: { ground: '#10151b', lines: [['white'], ['yellow']] },
  dont_forget: { ground: 'white', lines: [['black'], ['white', '#c00000'], ['black']] },
  reminder: { ground: 'white', lines: [['#c00000'], ['#c00000'], ['white', '#c00000']] },
  today_is: { ground: 'white', lines: [['black']] },
  dualclock1: { ground: light },
  dualclock1_nocorner: { ground: light },
  dualclock2: { ground: light },
  dualclock3: { ground: light },
  time_date_bg: { ground: medium },
  time_date_bg2: { ground: medium },
};

/** Returns a placeholder for slides: on a real device, the user creates slides in the device's web page. */
const slide = (name, pictures) => placeholder(name, pictures && translate('screen.noSlides'));

/**
 * Returns the content of a screen in words and as a picture. Without `pictures`, the existing files are
 * unknown. Without `title`, a template shows the name that the device uses for the template.
 * `defaultTextSize` depends on whether the firmware is older than 5.7.
 */
export function screenPicture({ screen, overlay, pictures, title = '', defaultTextSize = 'small' }) {
  const { words, parts, color } = contentOf(screen, pictures, title, defaultTextSize);
  const shownTexts = [
    screen?.image1,
    screen?.image2,
    screen?.screenName,
    screen?.slideNames,
    screen?.text1,
    screen?.text2,
    screen?.text3,
    overlay?.textContent,
  ].filter(Boolean);
  const ground = color ?? (overlay && !screen ? medium : undefined);
  const glass = make(
    'div',
    { class: 'glass', 'aria-hidden': 'true', style: ground ? { 'background-color': ground } : {} },
    parts,
    overlay ? writing(overlay.textContent, overlay) : undefined,
  );
  return {
    words: overlay ? translate('screen.overlay', { text: overlay.textContent }) : words,
    detail: shownTexts.join(' · '),
    glass,
  };
}

function contentOf(screen, pictures, title, defaultTextSize) {
  if (!screen) return { words: translate('screen.standard'), parts: [digital({})] };
  if (clockKinds.includes(screen.type))
    return {
      words: translate(`screen.clocks.${screen.type}`),
      parts: clock(screen, pictures),
      // Clock hands and dates are black by default, so the default background must not be black.
      color:
        screen.type === 'analogClock' ? light : (screen.clockBgColor ?? (screen.date ? medium : undefined)),
    };
  if (screen.type === 'template')
    return {
      words: translate('screen.template', screen),
      parts: templatePicture(screen, pictures, title),
      color: templateLooks[screen.template]?.ground,
    };
  if (screen.type === 'blitz')
    return {
      words: translate('screen.twoImages'),
      parts: [picture(screen.image1, pictures, 'half'), picture(screen.image2, pictures, 'half')],
    };
  if (screen.type === 'image')
    return {
      words: translate(screen.text1 ? 'screen.imageAndText' : 'screen.image'),
      parts: [
        picture(screen.image1, pictures),
        screen.text1 ? writing(screen.text1, screen, defaultTextSize) : undefined,
      ],
      color: screen.text1 ? medium : undefined,
    };
  if (screen.slideNames)
    return { words: translate('screen.slideshow'), parts: [slide(screen.slideNames, pictures)] };
  return { words: translate('screen.slide'), parts: [slide(screen.screenName ?? '', pictures)] };
}

function clock(screen, pictures) {
  const face = clockFace(screen);
  return screen.clockBgImage ? [picture(screen.clockBgImage, pictures, 'behind'), ...face] : face;
}

/**
 * Returns the picture in a file. Returns a placeholder if the files are unknown, if the device does not have
 * the file, or if the file is not a picture.
 */
function picture(name, pictures, place = 'whole') {
  if (!pictures) return placeholder(name);
  const { address, isThere } = pictures[name] ?? {};
  // A lazy picture loads only if its card is new on the page.
  if (address) return make('img', { class: place, src: address, alt: '', loading: 'lazy' });
  return placeholder(name, translate(isThere ? 'screen.undrawn' : 'screen.missing'));
}

function placeholder(name, why) {
  return make(
    'div',
    { class: 'picture' },
    draw(
      'svg',
      { viewBox: '0 0 64 44', 'aria-hidden': 'true' },
      draw('rect', { x: 1, y: 1, width: 62, height: 42, rx: 4, class: 'frame' }),
      draw('circle', { cx: 18, cy: 14, r: 5, class: 'sun' }),
      draw('path', { d: 'M4 40 24 20l12 12 10-9 14 17z', class: 'hill' }),
    ),
    make('span', {}, name),
    why && make('small', {}, why),
  );
}

function templatePicture(screen, pictures, title) {
  const { template, image1, icon1, icon2 } = screen;
  const icons = [icon1, icon2].filter(Boolean).map((name) => picture(name, pictures, 'small'));
  const looks = templateLooks[template]?.lines ?? [];
  return [
    image1 ? picture(image1, pictures, 'behind') : undefined,
    icons.length > 0 ? make('div', { class: 'icons' }, icons) : undefined,
    make('div', { class: 'template-name' }, title || template.replaceAll('_', ' ')),
    make('div', { class: 'clocks' }, templateClocks(screen)),
    /date/.test(template) ? templateDate(screen) : undefined,
    /weather/.test(template) ? make('div', { class: 'line' }, '☁ 12 °C') : undefined,
    ...(/^hospital/.test(template) && screen.text1
      ? [writing(screen.text1, { textColor: 'white' })]
      : [screen.text1, screen.text2, screen.text3].map(
          (text, index) => text && templateLine(text, looks[index]),
        )),
  ];
}

function templateClocks(screen) {
  if (/dualclock/.test(screen.template)) {
    const { dualClock1Color = 'black', analogSecondsColor = 'black' } = screen;
    const hands = { ...screen, analogFgColor: dualClock1Color, analogSecondsColor };
    return [analog(hands), digital({ ...screen, clockFgColor: dualClock1Color })];
  }
  if (/analog/.test(screen.template)) return [analog(screen)];
  return /time|clock/.test(screen.template) ? [digital(screen)] : [];
}

/** Returns the date of a template. Section 4.8.2 gives the date a color only in some templates. */
function templateDate({ template, textColor = 'black' }) {
  const style = /^time_date/.test(template) ? { color: textColor } : {};
  return make('div', { data: { date: '' }, style });
}

function templateLine(text, [color, ground] = []) {
  const style = { ...(color ? { color } : {}), ...(ground ? { 'background-color': ground } : {}) };
  return make('div', { class: 'line', style }, text);
}

function writing(text, given, defaultTextSize = 'small') {
  // The defaults of section 4.8.1.
  const { textPosition = 'bottom', textColor = 'black', textBg = false, textBgColor } = given;
  const { textSize = defaultTextSize, textScroll = true } = given;
  const size = (sizes[textSize] ?? Number(textSize)) / 90;
  const style = { 'font-size': `${size}em`, color: textColor };
  if (String(textBg) === 'true' && textBgColor) style['background-color'] = textBgColor;
  const isScrolling = String(textScroll) === 'true';
  return make(
    'div',
    { class: `writing ${textPosition}${isScrolling ? ' scrolling' : ''}`, style },
    make('span', {}, text),
  );
}
