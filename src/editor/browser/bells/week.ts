import { editorLanguage } from '../editor-language';
import type { Week } from './load-week';
import type { Rings } from './rings';

/** What of the calendar is used. */
interface EventCalendar {
  create(element: HTMLElement, options: object): object;
  destroy(calendar: object): void;
}

/** A tile of the calendar. */
interface Mounted {
  readonly el: HTMLElement;
  readonly timeText: string;
  readonly event: { readonly title: string };
}

/** Long enough to have a name drawn in it; bells have no end. */
const shownMs = 30 * 60_000;

/** Draws weeks by a calendar that others have made. */
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
        // Seven days from the first on, whatever weekday that is.
        view: 'timeGridDay',
        duration: { days: 7 },
        date: Object.keys(rings)[0],
        // Bells have no end, and a range of times leaves no room for their names.
        eventTimeFormat: (start: Date) =>
          `${start.getHours()}:${String(start.getMinutes()).padStart(2, '0')}`,
        // A tile is too small for a name.
        eventDidMount: ({ el, timeText, event }: Mounted) => {
          el.title = `${timeText} ${event.title}`;
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
    list.flatMap(({ name, start_time, color, skipped }, index) => {
      const start = new Date(`${date}T${String(start_time).padEnd(8, ':00')}`);
      if (Number.isNaN(start.getTime())) return [];
      const isColor = typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color);
      return {
        id: `${date} ${index}`,
        start,
        end: new Date(start.getTime() + shownMs),
        title: String(name ?? ''),
        classNames: skipped ? ['algo-skipped'] : [],
        ...(isColor && { backgroundColor: color }),
      };
    }),
  );
}
