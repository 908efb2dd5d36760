import { sentence } from '../checks/checks';
import { only } from '../product/models';
import { dayOf } from '../schedule/days';
import { scheduleBody } from '../schedule/fields';
import type { Scheduler } from '../schedule/scheduler';
import { type Answer, answer, refuse } from '../wire/answer';
import { json } from './readers';
import { type Route, route } from './route';

const schedulerProducts = only('8301', '8305');
const maxDays = 366;

/** The routes of section 4.13. */
export const scheduleRoutes: readonly Route[] = [
  route({
    route: 'GET /api/schedules',
    does: 'read the schedules',
    firmware: '5.7',
    products: schedulerProducts,
    query: ['events', 'days'],
    effect({ device: { scheduler }, query }) {
      return query.size === 0 ? answer(scheduler.show()) : readRange(scheduler, query);
    },
  }),
  route({
    route: 'POST /api/schedules',
    does: 'change the schedules',
    firmware: '5.7',
    products: schedulerProducts,
    content: json(scheduleBody),
    effect({ device, body }) {
      const applied = device.scheduler.apply(body);
      return 'mistakes' in applied
        ? refuse(`${sentence(applied.mistakes)}; nothing was changed`)
        : answer(applied.echo);
    },
  }),
];

function readRange(scheduler: Scheduler, query: URLSearchParams): Answer {
  const from = query.get('events');
  if (from === null) return refuse('days needs events=<date>');
  const day = from === '' ? scheduler.today : dayOf(from);
  if (day === undefined) return refuse(`events must be a date YYYY-MM-DD, not ${JSON.stringify(from)}`);
  const days = query.get('days') ?? '1';
  if (!/^[1-9]\d{0,3}$/.test(days) || Number(days) > maxDays)
    return refuse(`days must be an integer from 1 to ${maxDays}, not ${JSON.stringify(days)}`);
  return answer(scheduler.range(day, Number(days)));
}
