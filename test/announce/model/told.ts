/* What announcements tell: events, receipts, lengths, and that they begin together. */
import { beginOf, heard, isPreemption, type Part, type Reading, whenTold } from './parts';
import type { Ask, Request } from './trace';

/** How an announcement that has started ends where another node, an alert, a stop, a `replace` or a deploy ends it. */
export const endedBy = ['stopped'];

const course = /^(queued )?(started (finished|stopped|failed)|stopped|skipped|failed)$/;
/** Of what a kill or a deploy cut off, less is told. */
const cutCourse = /^(queued ?)?(started ?)?(finished|stopped|skipped|failed)?$/;

export function toldIn(reading: Reading): string[] {
  return [
    ...reading.parts.flatMap((part) => (reading.alike.has(part) ? [] : wrongPart(reading, part))),
    ...reading.asks.flatMap((ask) => wrongOutputs(reading, ask)),
  ];
}

function wrongPart(reading: Reading, part: Part): string[] {
  const { ask, device, starts, end, until, told } = part;
  const [{ slack }, from, others] = [reading, beginOf(part), reading.others(part)];
  const [all, isCut] = [
    told.map(({ event }) => event).join(' '),
    part.lostAt <= (end?.t ?? Infinity) + slack,
  ];
  const audio = starts.filter(({ subject }) => subject === ask.file);
  const [played, last] = [audio.filter(({ answer }) => answer === 'yes'), audio.at(-1)];
  const isFinished = end?.event === 'finished' && device.tone;
  // What does not reach the device ends nothing there.
  const wasAway = (t: number) => reading.wasAway(device, t, until);
  const soundsUntil = isFinished && last ? last.t + reading.lengthOf(ask.file, device) : until;
  const isStop = (s: Ask) => s.operation === 'stop' && s.node === ask.node && s.targets.includes(device.name);
  const isReplacing = (other: Part) =>
    other.ask.overlap === 'replace' && other.ask.priority >= ask.priority && other.until >= from;
  const ending = [
    ...reading.requests.filter((q) => q.device === device.name && isPreemption(q)),
    ...reading.asks.filter(isStop),
  ].map(({ t }) => t);
  const holds = reading.held(device, heard, from, until + slack, 0).map((hold) => hold.from);
  const causes = [...ending, ...holds].filter((t) => t > from - slack);
  const replacing = others.filter(isReplacing).map((other) => other.ask.t);
  const isCaused = [...causes, ...replacing].some((t) => t <= until + slack);
  // What sounds yet when it is stopped is silenced: by a stop, or by what follows at once.
  const sounding = starts.at(-1);
  const soundsOn = sounding?.done && sounding.t + reading.lengthOf(sounding.subject, device) > until + slack;
  const isSilenced = (q: Request) => {
    const isAfter =
      q.device === device.name &&
      sounding &&
      reading.requests.indexOf(q) > reading.requests.indexOf(sounding);
    return isAfter && (isPreemption(q) || (q.by === 'own' && ['tone/stop', 'tone/start'].includes(q.op)));
  };
  const isExcused = holds.length > 0 || wasAway(from) || reading.wasKilled(from, until + slack);
  const isMidway = (t: number) => t > from + slack && t + slack < soundsUntil;
  const cuts = [...ending, ...holds.filter((t) => !wasAway(t))].filter(isMidway);
  const holders = reading.held(device, heard, ask.t, until, -slack).map(({ alert }) => alert);
  const plays = (other: Part, t: number) =>
    beginOf(other) + slack < t && t < other.until - slack && other.end;
  const isBusy = others.some((other) => plays(other, ask.t));
  const queued = whenTold(part, 'queued') ?? Infinity;
  // One that replaces waits for none but a higher priority, and another one that replaces and goes before it.
  const isBehindOther = others.some(
    (other) =>
      other.ask.overlap === 'replace' &&
      (other.ask.priority > ask.priority || reading.plays.indexOf(other.ask) < reading.plays.indexOf(ask)) &&
      other.ask.t <= queued &&
      other.until > queued,
  );
  const isPassed =
    !isBehindOther && others.some((other) => other.ask.priority <= ask.priority && plays(other, queued));
  // What it has stopped makes room for it, not for others that wait.
  const hasStopped = others.some((other) => other.ask.priority <= ask.priority && plays(other, ask.t));
  const isForestalled =
    hasStopped &&
    others.some(
      (other) =>
        other.ask.overlap !== 'replace' &&
        beginOf(other) > ask.t &&
        beginOf(other) + slack < Math.min(from, until),
    );
  const started = told.find(({ event }) => event === 'started');
  const chimeMs = device.lacks.includes(ask.chime) ? 0 : reading.lengthOf(ask.chime, device);
  const isChimed = starts.some(({ subject, answer }) => subject === ask.chime && answer === 'yes');
  const planned = ask.repeat * reading.lengthOf(ask.file, device) + (ask.repeat - 1) * ask.intervalMs;
  const differs = (one: number | undefined, other: number) => !(Math.abs((one ?? -1) - other) <= slack);
  const isPlanned =
    !differs(started?.durationMs, planned + chimeMs) || (!isChimed && !differs(started?.durationMs, planned));
  const realMs = end?.durationMs ?? -1;
  const isTrouble = starts.some(({ answer }) => answer !== 'yes') || wasAway(from);
  const canBeSkipped = ask.overlap === 'skip' && reading.mayBeBusy(part, ask.t);
  const isNamed = holders.some((alert) => end?.reason?.includes(alert));
  const rules: Record<string, boolean> = {
    'W16 no events of a dry run': device.dryRun && all !== '',
    'E1 events': !device.dryRun && !course.test(all) && !(isCut && cutCourse.test(all)),
    'E2 finished: all was played': isFinished && played.length !== ask.repeat,
    'E2 finished: not before its end':
      isFinished && last !== undefined && last.t + reading.lengthOf(ask.file, device) - slack > end.t,
    'E2 finished: nothing had ended it': isFinished && cuts.length > 0,
    'E3 stopped':
      started !== undefined &&
      end !== undefined &&
      !isFinished &&
      cuts.length > 0 &&
      !isTrouble &&
      !endedBy.includes(end.event),
    'E3 failed: for a reason': started !== undefined && end?.event === 'failed' && !isTrouble && !isCut,
    'E3 stopped: for a reason': started !== undefined && end?.event === 'stopped' && !isCut && !isCaused,
    'W13 silenced':
      end?.event === 'stopped' && soundsOn === true && !isExcused && !reading.requests.some(isSilenced),
    'W8 skipped: for a reason':
      end?.event === 'skipped' && (device.tone || device.text) && !isNamed && !canBeSkipped,
    'W12 skip': ask.overlap === 'skip' && isBusy && (queued < Infinity || starts.length > 0),
    'W12 queued: only where it waits': queued < Infinity && !reading.mayBeBusy(part, queued),
    'W12 queued: where it waits':
      ask.overlap === 'queue' && isBusy && queued === Infinity && until > ask.t + slack && !device.dryRun,
    'W12 replace takes its place': ask.overlap === 'replace' && (isPassed || isForestalled),
    'W2 a chime that is refused ends nothing':
      end?.event === 'failed' && end.reason === 'REFUSED' && starts.at(-1)?.subject === ask.chime,
    'E5 durationMs: planned':
      started !== undefined && device.tone && !device.lacks.includes(ask.file) && !isPlanned,
    'E5 durationMs: real':
      started !== undefined &&
      end !== undefined &&
      (realMs < 0 || realMs > end.t - started.t + slack || (isFinished && realMs < planned - slack)),
  };
  const about = `${ask.tag} at ${device.name}: ${all}`;
  return Object.keys(rules)
    .filter((rule) => rules[rule])
    .map((rule) => `${rule}: ${about}`);
}

function wrongOutputs(reading: Reading, ask: Ask): string[] {
  const [{ slack, requests, parts }, { tag, operation, valid, targets, t, file }] = [reading, ask];
  const outputs = reading.of('output').filter((output) => output.tag === tag);
  const [answer, isLost] = [outputs[0], reading.lostAt(ask) < Infinity];
  const events = reading.of('event').filter(({ id }) => reading.tagOf.get(id) === tag);
  const wrong: string[] = [];
  const must = (ok: boolean, rule: string, what: unknown = '') => ok || wrong.push(`${rule}: ${tag} ${what}`);
  must(outputs.length === 1 || (isLost && outputs.length === 0), 'E4 first output: once', outputs.length);
  must(valid || (events.length === 0 && answer?.error === 'INVALID_PARAMETER'), 'E8 rejected');
  if (!valid || !answer) return wrong;
  for (const one of operation === 'state' ? (answer.state ?? []) : []) {
    const here = parts.filter(({ device }) => device.name === one.device);
    const begun = (p: Part) => (whenTold(p, 'started') ?? Infinity) + slack < answer.t;
    const plays = here.find((p) => begun(p) && answer.t < p.until - slack && p.end);
    const waits = here.filter(
      (p) =>
        (whenTold(p, 'queued') ?? Infinity) + slack < answer.t &&
        answer.t < Math.min(beginOf(p), p.until) - slack &&
        p.end,
    );
    const tags = one.waiting.map((id) => reading.tagOf.get(id));
    must(!plays || reading.tagOf.get(one.playing ?? '') === plays.ask.tag, 'E7 state: playing', one.device);
    const isThere = here.some(
      (p) => reading.tagOf.get(one.playing ?? '') === p.ask.tag && beginOf(p) - slack < answer.t,
    );
    must(one.playing === null || isThere, 'E7 state: it waits until its first sound', one.device);
    must(
      waits.every((p) => tags.includes(p.ask.tag)),
      'E7 state: waiting',
      one.device,
    );
  }
  if (operation === 'prepare')
    for (const { device, outcome } of answer.receipts) {
      // An upload of the same audio is shared until the journal has it.
      const isThen = (r: (typeof requests)[number]) =>
        r.device === device && r.end >= t - slack && r.end <= answer.t + slack;
      const isStored = requests.some(
        (r) =>
          r.by === 'own' &&
          r.op === 'files/put' &&
          r.subject === `tones/${file}` &&
          r.answer === 'yes' &&
          isThen(r),
      );
      must(outcome !== 'accepted' || isStored, 'W14 prepare: accepted where it was stored', device);
      must(
        ['accepted', 'confirmed', 'failed', 'skipped', 'dry-run'].includes(outcome),
        'W14 prepare',
        outcome,
      );
    }
  if (operation !== 'play') return wrong;

  const mine = parts.filter((part) => part.ask === ask);
  const done = events.filter(({ event }) => event === 'done');
  const doneCount = mine.some(({ device }) => !device.dryRun) ? 1 : 0;
  must(done.length === doneCount || (isLost && done.length === 0), 'E6 done: once', done.length);
  const isAfterAll = done.every((one) => one.device === undefined && (isLost || one === events.at(-1)));
  must(isAfterAll, 'E6 done: after the last device');
  must(answer.receipts.map(({ device }) => device).join() === targets.join(), 'E4 one receipt per target');
  for (const part of mine) {
    const receipt = answer.receipts.find(({ device }) => device === part.device.name);
    const outcome = receipt?.outcome ?? '';
    const event = whenTold(part, 'started') !== undefined ? 'started' : (part.end?.event ?? 'none');
    const isIn = part.device.dryRun ? ['dry-run'] : (outcomes[event] ?? [outcome]);
    must(isIn.includes(outcome), 'E4 receipt', `${part.device.name}: ${event}, ${outcome}`);
    must(receipt?.operation === 'announce/play', 'E4 receipt: its operation', receipt?.operation);
    const settled = Math.min(whenTold(part, 'started') ?? Infinity, part.until);
    must(
      part.device.dryRun || isLost || settled <= answer.t + slack,
      'E4 first output: not before',
      part.device.name,
    );
  }
  const stores = requests.filter(
    (r) =>
      r.by === 'own' &&
      r.op === 'files/put' &&
      r.subject === `tones/${file}` &&
      r.t >= t &&
      targets.includes(r.device),
  );
  const first = Math.min(...mine.map(beginOf));
  const ready = Math.min(...stores.map(({ end }) => end), ...(stores.length < mine.length ? [t] : []));
  const isOpen = (name: string) => mine.some(({ device, until }) => device.name === name && until > first);
  const isLate = stores.some((r) => isOpen(r.device) && r.t < first && r.end > first + slack);
  must(!isLate || first >= ready + ask.togetherMs - slack, 'W21 together', `begins at ${first}`);
  return wrong;
}

const outcomes: Record<string, readonly string[]> = {
  started: ['accepted', 'confirmed', 'unknown'],
  skipped: ['skipped'],
  failed: ['failed', 'unknown', 'expired', 'superseded'],
};
