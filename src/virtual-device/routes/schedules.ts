import { only } from '../product/models';
import { ScheduleError } from '../schedule/apply';
import { dayOf } from '../schedule/days';
import { scheduleBody } from '../schedule/fields';
import type { Scheduler } from '../schedule/scheduler';
import { type Answer, answer, refuse } from '../wire/answer';
import { json, nothing } from './readers';
import { type Route, route } from './route';

const schedulerProducts = only('8301', '8305');
const maxDays = 366;

export const scheduleRoutes: readonly Route[] = [
  route({
    route: 'GET /api/schedules',
    section: '4.13',
    does: 'read the schedules',
    firmware: '5.7',
    products: schedulerProducts,
    content: nothing,
    query: ['events', 'days'],
    effect({ device: { scheduler }, query }) {
      return query.size === 0 ? answer(scheduler.show()) : readRange(scheduler, query);
    },
  }),
  route({
    route: 'POST /api/schedules',
    section: '4.13',
    does: 'change the schedules',
    firmware: '5.7',
    products: schedulerProducts,
    content: json(scheduleBody),
    effect({ device, body }) {
      return orRefuse(
        () => device.scheduler.apply(body),
        (message) => `${message}; nothing was changed`,
      );
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
  return orRefuse(
    () => scheduler.range(day, Number(days)),
    (message) => `${message}; ask for fewer days`,
  );
}

function orRefuse(act: () => unknown, explain: (message: string) => string): Answer {
  try {
    return answer(act());
  } catch (error) {
    if (error instanceof ScheduleError) return refuse(explain(error.message));
    throw error;
  }
}
