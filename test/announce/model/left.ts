/* Volume, text and files: as the device has them, request by request. */
import { isPreemption, isUrgent, type Reading } from './parts';
import type { Device, Request } from './trace';

/** A start of an alert or of an emergency that sounds. */
function isSound({ by, op }: Request): boolean {
  const isLoud = ['tone/start', 'call/start', 'emergency/start'].includes(op);
  return (by === 'alert' && isLoud) || (by === 'other' && op === 'emergency/start');
}

/** Whether a request for the volume got no answer, or a late one, in the second before. */
function isBusySince(reading: Reading, { device, t }: Request): boolean {
  return reading.requests.some((q) => {
    const isThen = q.t <= t && q.end >= t - 1_000 - reading.slack;
    const isSlow = q.answer !== 'yes' || q.end - q.t > 400;
    return q.device === device && q.by === 'own' && q.op.startsWith('settings/') && isThen && isSlow;
  });
}

/** Volume, text and files there: written only by who may, and as before in the end. */
export function leftAs(reading: Reading, device: Device): string[] {
  const [wrong, { slack, parts }, kept]: [string[], Reading, Map<string, boolean>] = [[], reading, new Map()];
  // What is set, what is to be there in the end, who wrote it, what was read, the alert's start after which it is due.
  let [value, meant, isOwnValue] = [device.volume, device.volume, false];
  let [isRaced, isSure, readAt, changedAt] = [false, true, -Infinity, -Infinity];
  // The end of what an announcement has sent before the alert's start: nothing can be put back earlier.
  let [busyUntil, stuckUntil] = [-Infinity, -Infinity];
  let [read, toUndo, text]: [string | undefined, Request | undefined, Request | undefined] = [
    undefined,
    undefined,
    undefined,
  ];
  // A text that covers the screen of an alert, until it is removed or that was tried, and since when.
  let covering: Request | undefined;
  let coversSince = Infinity;
  let isTextSure = true;
  for (const r of reading.requests.filter((request) => request.device === device.name)) {
    const must = (ok: boolean, rule: string) =>
      ok || wrong.push(`${rule}: ${r.op} ${r.subject} ${r.value ?? ''} at ${device.name}, ${r.t}`);
    const open = parts.filter((p) => p.device === device && p.ask.t <= r.t && r.t <= p.until + slack);
    const part = parts.find(({ starts }) => starts.includes(r));
    const isOwn = r.by === 'own';
    must(
      !device.dryRun || !isOwn || /\/(get|list|tonelist|about|md5sum|status)$/.test(r.op),
      'W16 only read',
    );
    must(
      !isOwn || reading.asks.some((ask) => ask.targets.includes(device.name) && ask.t <= r.t),
      'W1 is no target',
    );
    must(!isOwn || !r.loop, 'W1 no loop');
    const isCovered = covering !== undefined && covering === text && r.t > coversSince + slack;
    if (isOwn && r.op === 'tone/start' && isCovered && !reading.wasAway(device, 0, r.t))
      must(false, "W9 not over an alert's screen");
    if (toUndo && (reading.wasAway(device, toUndo.t, r.t) || reading.wasKilled(toUndo.t, r.t)))
      toUndo = undefined;
    const hasWaited = toUndo !== undefined && (r.since ?? r.t) <= toUndo.end;
    must(
      r.by !== 'other' || !toUndo || !hasWaited || r.t <= Math.max(toUndo.end, stuckUntil) || isUrgent(r.op),
      'W11 put back before all that waits',
    );
    const sounds = isSound(r) && !reading.wasAway(device, r.t - 1_000, r.t) && !reading.wasKilled(0, r.t);
    must(
      !sounds || !isOwnValue || value === meant || !isSure || isRaced || isBusySince(reading, r),
      'W22 put back before what must be heard',
    );
    if (isOwn && r.op === 'settings/get' && r.answer === 'yes') [read, readAt] = [r.value, r.end];
    if (isOwn && r.op === 'settings/put') {
      isRaced ||= changedAt >= readAt - slack && r.t - readAt <= slack;
      const isAsked = open.some(({ ask }) => ask.volume === r.value);
      must(isRaced || isAsked || r.value === meant, 'W10 only what is asked, or was');
      must(read !== undefined, 'W10 read first');
      must(read !== r.value, 'W10 written only if it differs');
      must(isRaced || isAsked || isOwnValue || !isSure, 'W10 put back only over its own');
      if (r.answer === 'yes') [read, toUndo] = [undefined, undefined];
    } else if (r.op === 'settings/put' && r.done) [meant, changedAt] = [r.value ?? '', r.t];
    if (r.op === 'settings/put' && r.done) [value, isOwnValue] = [r.value ?? '', isOwn];
    if (isOwn && r.op.startsWith('settings/') && r.answer !== 'yes') [isSure, toUndo] = [false, undefined];
    if (isOwn && read !== undefined && read !== value) toUndo = undefined;
    if (r.by === 'alert' && r.op !== 'tone/stop' && isPreemption(r) && isOwnValue && value !== meant)
      [toUndo, stuckUntil] = [r, busyUntil];
    if (isOwn && !r.op.startsWith('files/')) busyUntil = Math.max(busyUntil, r.end);
    if (r.op === 'screen/text-start') {
      must(
        !isOwn || (device.text && open.some(({ ask }) => ask.text === r.subject)),
        'W9 only what is asked',
      );
      must(
        !isOwn || reading.held(device, ['screen', 'text'], r.t).length === 0,
        'W9 not where an alert has the screen',
      );
      if (r.done) text = r;
      isTextSure = r.answer === 'yes';
    } else if (r.op === 'screen/text-stop') {
      must(!isOwn || text?.by !== 'alert', "W9 an alert's text is never removed");
      const isOfOther = text?.by === 'other' && isTextSure && text.end + slack < r.t;
      must(!isOwn || !isOfOther, "W9 another node's text is never removed");
      if (r.done) text = undefined;
      if (isOwn) covering = undefined;
    } else if (r.op === 'screen/start' && r.by === 'alert' && r.done && r.answer === 'yes') {
      covering = text?.by === 'own' && text.answer === 'yes' ? text : undefined;
      coversSince = r.end;
      if (reading.held(device, ['text'], r.t)[0] || reading.wasKilled(0, r.t)) covering = undefined;
    } else if (r.op === 'files/put' && isOwn) {
      must(!kept.get(r.subject) || reading.wasKilled(0, r.t), 'W15 stored once');
      must(/^tones\/algo-[0-9a-f]{16}\.(wav|mp3)$/.test(r.subject), 'W15 its name');
      kept.set(r.subject, r.answer === 'yes');
      must([...kept.values()].filter(Boolean).length <= 20, 'W15 at most 20');
    } else if (r.op === 'files/delete') {
      const isInUse = open.some(({ ask }) => `tones/${ask.file}` === r.subject);
      must(!isOwn || (kept.has(r.subject) && !isInUse), 'W15 only its own, never one that plays or waits');
      if (r.done) kept.delete(r.subject);
    }
    if (!part || reading.alike.has(part)) continue;
    const { ask, starts } = part;
    must(!ask.isBuffer || kept.get(`tones/${ask.file}`) === true, 'W15 stored before it plays');
    if (!isSure || reading.wasAway(device, 0, r.t) || isRaced || reading.wasKilled(0, r.t)) continue;
    must(
      value === (ask.volume || meant) || (!isOwnValue && ask.volume !== '' && changedAt > ask.t),
      'W10 as asked',
    );
    const isText = (q: Request) =>
      q.device === device.name && q.op.startsWith('screen/') && q.t >= ask.t && q.t <= r.t;
    const isTouched = reading.requests.some((q) => isText(q) && (q.by !== 'own' || q.answer !== 'yes'));
    if (
      starts[0] !== r ||
      !device.text ||
      isTouched ||
      reading.held(device, ['screen', 'text'], ask.t, r.t, -slack)[0]
    )
      continue;
    must(ask.text === (text?.by === 'own' ? text.subject : ''), 'W9 shown from the start');
  }
  if (!isRaced && value !== meant) wrong.push(`W10 as before: ${device.name} has ${value}, not ${meant}`);
  if (text?.by === 'own') wrong.push(`W9 removed: ${text.subject} at ${device.name}`);
  return wrong;
}
