/*
The promises of announcements (docs/contract.md, section 2.11) on a page. It predicts nothing: it reads a trace, and names what may not
be in it. The word in front of a complaint names the rule. Nothing is said of moments nearer than the slack.
*/

import { leftAs } from './left';
import { beginOf, heard, isPreemption, isUrgent, type Part, Reading, whenTold } from './parts';
import { toldIn } from './told';
import type { Device, Request, Trace } from './trace';

/** Where D can be read in two ways: how strictly it counts here. */
export const readings = { doubtedSounds: true, strictLine: true, endsBeforeNext: true };

export function wrongIn(trace: Trace): string[] {
  const reading = new Reading(trace);
  return [
    ...reading.strange.map(({ subject, device, t }) => `W1: nobody asked for ${subject} at ${device}, ${t}`),
    ...reading.parts.flatMap((part) => (reading.alike.has(part) ? [] : wrongStarts(reading, part))),
    ...trace.devices.flatMap((device) => [...together(reading, device), ...leftAs(reading, device)]),
    ...toldIn(reading),
  ];
}

/** Its tones: their order and pauses, and that none comes after what ended it. */
function wrongStarts(reading: Reading, part: Part): string[] {
  const [{ ask, device, starts }, { slack }] = [part, reading];
  return starts.flatMap((start, index) => {
    const [before, isFirst, from] = [starts[index - 1], index === 0, starts[0]?.t ?? 0];
    const [t, isAudio] = [start.t, (s: Request) => s.subject === ask.file];
    const pause = before && isAudio(before) ? ask.intervalMs : 0;
    // What has a connection of its own may pass what was sent shortly before.
    const isAhead = (q: Request) => q.t > from && q.t + (isUrgent(q.op) ? slack : 0) < t;
    const isHere = (q: Request) => q.device === device.name && isPreemption(q) && isAhead(q);
    const isStop = (s: typeof ask) =>
      s.operation === 'stop' && s.node === ask.node && s.targets.includes(device.name);
    const noChime = ask.chime === '' || device.lacks.includes(ask.chime);
    const rules: Record<string, boolean> = {
      'W2 the chime first': isFirst && isAudio(start) && !noChime,
      'W3 after the length of the one before':
        before?.answer === 'yes' && before.t + reading.lengthOf(before.subject, device) + pause - slack > t,
      'W5 nothing after unknown': starts.slice(0, index).some(({ answer }) => answer === 'lost'),
      'W5 nothing after a no': starts.slice(0, index).some((s) => s.answer === 'no' && isAudio(s)),
      'W6 nothing after a preemption': reading.requests.some(isHere),
      // One that is over has ended it by a request, if any reached the device.
      'W7 alerts go first': reading.held(device, heard, t).length > 0,
      'W13 nothing after a stop': reading.asks.some((s) => isStop(s) && s.t > ask.t && s.t + slack < t),
      'W17 ttl': isFirst && ask.ttlMs > 0 && t > ask.t + ask.ttlMs + slack,
      'W19 nothing after a restart or deploy': t > part.lostAt + slack,
      'E1 nothing after its end': t > part.until + slack,
      'W12 priority, then arrival': isFirst && readings.strictLine && isOutOfTurn(reading, part),
    };
    const wrong = Object.keys(rules).filter((rule) => rules[rule]);
    return wrong.map((rule) => `${rule}: ${ask.tag}, ${start.subject} at ${device.name}, ${t}`);
  });
}

/** Whether one of more weight, or that came before, has waited there since before its turn. */
function isOutOfTurn(reading: Reading, part: Part): boolean {
  const [from, { slack, plays }] = [beginOf(part), reading];
  const ended = reading.others(part).filter((other) => other.until <= from && beginOf(other) < from);
  const hasWaited = whenTold(part, 'queued') !== undefined;
  const turn = hasWaited ? Math.max(part.ask.t, ...ended.map(({ until }) => until)) : part.ask.t;
  return reading.others(part).some((other) => {
    const outranks =
      other.ask.priority - part.ask.priority || plays.indexOf(part.ask) - plays.indexOf(other.ask);
    const isWaiting = (whenTold(other, 'queued') ?? Infinity) + slack < turn && beginOf(other) > from;
    return outranks > 0 && isWaiting && other.until > from + slack && part.ask.overlap !== 'replace';
  });
}

/** Never two at once. */
function together(reading: Reading, device: Device): string[] {
  const [here, { slack }] = [reading.parts.filter((part) => part.device === device), reading];
  const starts = here.flatMap((part) => part.starts.map((start) => ({ part, start })));
  starts.sort((a, b) => a.start.t - b.start.t);
  return starts.flatMap(({ part, start: { subject, t } }, index) => {
    const { part: other, start: before } = starts[index - 1] ?? {};
    if (!before || !other || other === part || reading.wasKilled(before.t, t)) return [];
    if (reading.alike.has(part) || reading.alike.has(other)) return [];
    const isHeard = before.done && (before.answer === 'yes' || readings.doubtedSounds);
    const isCut = reading.requests.some((q) => {
      const isThen = q.device === device.name && q.t >= before.t && q.t <= t;
      return isThen && (q.op === 'tone/stop' || isPreemption(q));
    });
    const isAway = reading.wasAway(device, before.t, t);
    const isOver = before.t + reading.lengthOf(before.subject, device) - slack <= t;
    const isTold = other.told.length === 0 || other.until <= t + slack || !readings.endsBeforeNext;
    if ((!isHeard || isCut || isAway || isOver) && isTold) return [];
    return [`W4 one at a time: ${subject} at ${device.name}, ${t}, during ${other.ask.tag}`];
  });
}
