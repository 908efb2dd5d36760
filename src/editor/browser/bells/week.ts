import { editorLanguage } from '../language/editor-language';
import type { Ring, Rings, Week } from './load-week';

interface EventCalendar {
  create(element: HTMLElement, options: object): object;
  destroy(calendar: object): void;
}

interface TileLine {
  readonly time: string;
  readonly name: string;
  readonly color: string;
  readonly isSkipped: boolean;
}

/** A tile of the calendar, for one or several bells. `start` and `end` are in epoch milliseconds. */
interface Tile {
  readonly start: number;
  end: number;
  readonly lines: TileLine[];
}

interface Mounted {
  readonly el: HTMLElement;
  readonly event: { readonly extendedProps: Tile };
}

/** Durations in milliseconds. A tile lasts `first` for one bell, plus `more` for each further bell. */
const shownMs = { first: 30 * 60_000, more: 20 * 60_000 };

/** The color of a bell that has no color of its own. */
const colorOfPlain = '#1a5fb4';

export function weekOf(library: EventCalendar, style: string): Week {
  let drawn: object | undefined;
  return {
    show(element, rings) {
      if (!document.querySelector('#algo-week-style')) {
        $('<style id="algo-week-style">').text(style).appendTo(document.head);
      }
      if (drawn) library.destroy(drawn);
      element.replaceChildren();
      element.classList.toggle('ec-dark', document.documentElement.classList.contains('nr-theme-dark'));
      const locale = editorLanguage();
      drawn = library.create(element, {
        ...(locale !== undefined && { locale }),
        // The week view starts on a fixed weekday. The day view, extended to seven days, can start on any
        // weekday.
        view: 'timeGridDay',
        duration: { days: 7 },
        date: Object.keys(rings)[0],
        eventContent: ({ event }: Mounted) => ({ domNodes: event.extendedProps.lines.map(elementOf) }),
        // A tile has no space for names, so the tooltip shows the names.
        eventDidMount: ({ el, event }: Mounted) => {
          el.title = event.extendedProps.lines.map(({ time, name }) => `${time} ${name}`).join('\n');
        },
        dayHeaderFormat: { weekday: 'short', day: 'numeric' },
        allDaySlot: false,
        editable: false,
        slotEventOverlap: false,
        height: '420px',
        scrollTime: '07:00:00',
        headerToolbar: { start: 'title', center: '', end: 'prev,next' },
        events: eventsOf(rings),
      });
    },
  };
}

function eventsOf(rings: Rings): object[] {
  return Object.entries(rings).flatMap(([date, list]) =>
    tilesOf(date, list).map((tile, index) => ({
      id: `${date} ${index}`,
      start: new Date(tile.start),
      end: new Date(tile.end),
      backgroundColor: tile.lines[0]?.color,
      extendedProps: tile,
    })),
  );
}

/**
 * Returns the tiles of a day. A bell that rings before the previous tile ends joins that tile: two tiles
 * next to each other would be too narrow for the texts.
 */
function tilesOf(date: string, list: readonly Ring[]): Tile[] {
  const tiles: Tile[] = [];
  const begin = new Date(`${date}T00:00:00`).getTime();
  const midnight = new Date(`${date}T24:00:00`).getTime();
  const scheduled = list.flatMap(({ name, start_time, color, skipped }) => {
    const start = new Date(`${date}T${String(start_time).padEnd(8, ':00')}`);
    if (Number.isNaN(start.getTime())) return [];
    const line = {
      time: `${start.getHours()}:${String(start.getMinutes()).padStart(2, '0')}`,
      name: String(name ?? ''),
      color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : colorOfPlain,
      isSkipped: Boolean(skipped),
    };
    return [{ start: start.getTime(), line }];
  });
  for (const { start: ringsAt, line } of scheduled.sort((a, b) => a.start - b.start)) {
    const tile = tiles.at(-1);
    const start = Math.min(ringsAt, midnight - shownMs.first);
    if (tile && start < tile.end) {
      tile.lines.push(line);
      tile.end += shownMs.more;
    } else tiles.push({ start, end: start + shownMs.first, lines: [line] });
  }
  // A tile that ends after midnight would also appear on the next day, so the tile is moved to an earlier
  // time.
  return tiles.map(({ start, end, lines }) => {
    const over = Math.max(0, end - midnight);
    return { start: Math.max(begin, start - over), end: end - over, lines };
  });
}

function elementOf({ time, color, isSkipped }: TileLine): HTMLElement {
  const element = $('<time class="ec-event-time">').text(time).toggleClass('algo-skipped', isSkipped);
  return element.css({ color: textColorOn(color), backgroundColor: color }).get(0) as HTMLElement;
}

/** Returns black or white: one of the two has a contrast of at least 4.5:1 on every color (WCAG 2). */
function textColorOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  // At this luminance, black and white have the same contrast.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}
