import { draw, make } from './dom.js';

const CLOCK_KINDS = { digitalClock: 'Digital clock', analogClock: 'Analog clock' };

function digital({ clockFgColor, clockFormat, clockSeconds = true }) {
  return make('div', {
    class: 'digital',
    data: { clock: clockFormat?.startsWith('12') ? '12' : '24', seconds: String(clockSeconds !== false) },
    style: clockFgColor ? { color: clockFgColor } : {},
  });
}

function analog({ analogFgColor = 'white', analogBgColor = '#111111', analogSecondsColor = 'red' }) {
  const hand = (name, length, width, color) =>
    draw('line', {
      x1: 50,
      y1: 50,
      x2: 50,
      y2: 50 - length,
      stroke: color,
      'stroke-width': width,
      data: { hand: name },
    });
  const marks = Array.from({ length: 12 }, (_, hour) =>
    draw('line', {
      x1: 50,
      y1: 7,
      x2: 50,
      y2: hour % 3 ? 11 : 15,
      stroke: analogFgColor,
      'stroke-width': 2,
      transform: `rotate(${hour * 30} 50 50)`,
    }),
  );
  return draw(
    'svg',
    { viewBox: '0 0 100 100', class: 'analog', 'aria-hidden': 'true' },
    draw('circle', { cx: 50, cy: 50, r: 48, fill: analogBgColor, stroke: analogFgColor, 'stroke-width': 2 }),
    marks,
    hand('hours', 24, 4, analogFgColor),
    hand('minutes', 36, 3, analogFgColor),
    hand('seconds', 40, 1, analogSecondsColor),
  );
}

/** A file of the device as it is, and a placeholder for what it does not have. */
function picture(name, pictures, place = 'whole') {
  const { address, isThere } = pictures[name] ?? {};
  if (address) return make('img', { class: place, src: address, alt: '' });
  return placeholder(name, isThere ? 'no picture that a browser can draw' : 'not on this device');
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
    make('small', {}, why),
  );
}

const SIZES = { tiny: 0.8, small: 1.1, medium: 1.6, large: 2.3 };

/** A line of text where and how the request wants it. */
function writing(text, { textPosition = 'middle', textColor, textBg, textBgColor, textSize, textScroll }) {
  const size = SIZES[textSize] ?? (Number(textSize) ? Number(textSize) / 90 : 1.6);
  const style = { 'font-size': `${size}em` };
  if (textColor) style.color = textColor;
  if (textBg !== false && textBgColor) style['background-color'] = textBgColor;
  const isScrolling = String(textScroll) === 'true';
  return make(
    'div',
    { class: `writing ${textPosition}${isScrolling ? ' scrolling' : ''}`, style },
    make('span', {}, text),
  );
}

function templatePicture(screen, pictures) {
  const lines = ['text1', 'text2', 'text3'].map((name) => screen[name]).filter(Boolean);
  const name = screen.template.replaceAll('_', ' ');
  const parts = [make('div', { class: 'template-name' }, name)];
  if (/time|clock/.test(screen.template)) parts.push(digital(screen));
  if (/weather/.test(screen.template)) parts.push(make('div', { class: 'line' }, '☁ 12 °C'));
  if (screen.image1) parts.push(picture(screen.image1, pictures, 'behind'));
  const icons = [screen.icon1, screen.icon2].filter(Boolean);
  if (icons.length > 0)
    parts.unshift(
      make(
        'div',
        { class: 'icons' },
        icons.map((name) => picture(name, pictures, 'small')),
      ),
    );
  return [...parts, ...lines.map((line) => make('div', { class: 'line' }, line))];
}

/** Slides are made in a real device's web page, so there are none here. */
const slide = (name) => placeholder(name, 'slides are not on a virtual device');

function clock(screen, pictures) {
  const face = screen.type === 'analogClock' ? analog(screen) : digital(screen);
  return screen.clockBgImage ? [picture(screen.clockBgImage, pictures, 'behind'), face] : [face];
}

function contentOf(screen, pictures) {
  if (!screen) return { words: 'Default screen', parts: [digital({})] };
  if (CLOCK_KINDS[screen.type])
    return {
      words: CLOCK_KINDS[screen.type],
      parts: clock(screen, pictures),
      color: screen.clockBgColor,
    };
  if (screen.type === 'template')
    return { words: `Template ${screen.template}`, parts: templatePicture(screen, pictures) };
  if (screen.type === 'blitz')
    return {
      words: 'Two images in turn',
      parts: [picture(screen.image1, pictures, 'half'), picture(screen.image2, pictures, 'half')],
    };
  if (screen.type === 'image')
    return {
      words: screen.text1 ? 'Image and text' : 'Image',
      parts: [picture(screen.image1, pictures), screen.text1 ? writing(screen.text1, screen) : undefined],
    };
  if (screen.slideNames) return { words: 'Slideshow', parts: [slide(screen.slideNames)] };
  return { words: 'Slide', parts: [slide(screen.screenName ?? '')] };
}

/** What a screen shows, in words and as a picture of it. */
export function screenPicture({ screen, overlay, pictures }) {
  const { words, parts, color } = contentOf(screen, pictures);
  const said = [
    screen?.image1,
    screen?.image2,
    screen?.screenName,
    screen?.slideNames,
    screen?.text1,
    screen?.text2,
    screen?.text3,
    overlay?.textContent,
  ].filter(Boolean);
  const glass = make(
    'div',
    { class: 'glass', 'aria-hidden': 'true', style: color ? { 'background-color': color } : {} },
    parts,
    overlay ? writing(overlay.textContent, overlay) : undefined,
  );
  return { words: overlay ? `“${overlay.textContent}”` : words, detail: said.join(' · '), glass };
}

/** Moves the clocks on a screen to the device's time. */
export function tickScreen(root, now) {
  const date = new Date(now);
  const [hours, minutes, seconds] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const turns = { hours: (hours % 12) * 30 + minutes / 2, minutes: minutes * 6, seconds: seconds * 6 };
  for (const hand of root.querySelectorAll('[data-hand]'))
    hand.setAttribute('transform', `rotate(${turns[hand.dataset.hand]} 50 50)`);
  for (const clock of root.querySelectorAll('[data-clock]')) {
    const isShort = clock.dataset.clock === '12';
    const hour = isShort ? hours % 12 || 12 : String(hours).padStart(2, '0');
    const rest = [minutes, ...(clock.dataset.seconds === 'true' ? [seconds] : [])];
    const text = [hour, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
    clock.textContent = isShort ? `${text} ${hours < 12 ? 'AM' : 'PM'}` : text;
  }
}
