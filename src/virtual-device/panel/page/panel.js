import { startControls } from './controls.js';
import { byId, lasting } from './dom.js';
import { startRequests } from './requests.js';
import { startStage } from './stage.js';
import { pageLanguage, translate } from './words.js';

/** Milliseconds until the page opens a rejected stream again. */
const patienceMs = 3000;

/**
 * Milliseconds until a page that is neither visible nor audible ends its stream. Browsers allow six
 * connections to a host, so more open panels would block the editor.
 */
const unseenMs = 30_000;

let stream;
let leaving;
let snapshot;
let receivedAt = 0;

const stage = startStage({ root: byId('stage'), order, announce, deviceNow });
const controls = startControls({ root: byId('controls'), order });
const requests = startRequests(byId('request-list'));

document.addEventListener('visibilitychange', () => {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(leave, unseenMs);
  else if (stream.readyState === EventSource.CLOSED) connect();
});

setStill(matchMedia('(prefers-reduced-motion: reduce)').matches);
byId('still').addEventListener('click', () => setStill(!document.body.classList.contains('still')));
setInterval(tick, 250);
connect();

async function order(name, given = {}) {
  const answer = await fetch('command', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, given }),
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text).result;
  let reason = text;
  try {
    reason = JSON.parse(text).error;
  } catch {
    // The answer is plain text of the server, not JSON.
  }
  throw new Error(reason);
}

function announce(words, language = pageLanguage) {
  const container = byId('announcements');
  container.lang = language;
  container.textContent = words;
}

/**
 * Returns the device's time in epoch milliseconds, estimated from the last snapshot; 0 before the first
 * snapshot.
 */
function deviceNow() {
  return snapshot ? snapshot.now + (performance.now() - receivedAt) * snapshot.speed : 0;
}

function leave() {
  if (stage.isHeard()) return;
  stream.close();
  setConnection('offline', translate('connection.unseen'));
}

function setConnection(state, words) {
  const badge = byId('connection');
  badge.textContent = words;
  badge.dataset.state = state;
  document.body.classList.toggle('away', state !== 'on');
}

function connect() {
  stream?.close();
  const opened = new EventSource('events');
  stream = opened;
  opened.addEventListener('hello', ({ data }) => {
    const hello = JSON.parse(data);
    controls.hello(hello);
    stage.hello(hello);
    requests.replace(inOrder([...hello.log, ...hello.calls]));
  });
  opened.addEventListener('snapshot', ({ data }) => {
    snapshot = JSON.parse(data);
    receivedAt = performance.now();
    const isUp = snapshot.state.power === 'on' && snapshot.address !== '';
    setConnection(
      isUp ? 'on' : 'restarting',
      translate(isUp ? 'connection.running' : 'connection.restarting'),
    );
    showIdentity(snapshot);
    stage.show(snapshot);
    controls.show(snapshot);
    tick();
  });
  opened.addEventListener('requests', ({ data }) => requests.add(JSON.parse(data)));
  opened.addEventListener('calls', ({ data }) => requests.add(JSON.parse(data)));
  opened.addEventListener('happened', ({ data }) => {
    const words = JSON.parse(data);
    requests.note(words, new Date(deviceNow()).toISOString());
    announce(words, 'en');
  });
  opened.addEventListener('error', () => {
    setConnection('offline', translate('connection.offline'));
    if (opened.readyState === EventSource.CLOSED) void comeBack();
  });
}

function inOrder(entries) {
  return entries.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

function showIdentity({ name, product, model, firmware, address, auth, speed, shift }) {
  byId('name').textContent = name;
  document.title = translate('tab', { name });
  const what = translate(name === product ? 'identity.firmware' : 'identity.product', { product, firmware });
  byId('identity').textContent = [
    what,
    address || translate('identity.silent'),
    translate(`identity.auth.${auth}`),
  ].join(' · ');
  document.body.dataset.model = model;
  const moved = `${shift > 0 ? '+' : '-'}${lasting(Math.abs(shift), pageLanguage)}`;
  const notes = [speed === 1 ? '' : `${speed}×`, shift === 0 ? '' : moved];
  byId('clock').dataset.note = notes.filter(Boolean).join(' ');
}

function tick() {
  const now = deviceNow();
  if (!snapshot) return;
  byId('clock').textContent = `${new Date(now).toISOString().slice(11, 19)} UTC`;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-until]'))) {
    const { until, from, words } = element.dataset;
    const seconds = Math.max(0, Math.ceil((Number(until) - now) / 1000));
    element.textContent = words.replace('{time}', lasting(seconds, pageLanguage));
    const bar = element.nextElementSibling;
    if (bar instanceof HTMLProgressElement)
      bar.value = 1 - (now - Number(from)) / (Number(until) - Number(from));
  }
  stage.tick(now);
}

/**
 * Reloads the page if the login has expired, since the server then explains how to log in again. Otherwise
 * connects again later.
 */
async function comeBack() {
  const status = await fetch('state').then(
    (answer) => answer.status,
    () => 0,
  );
  if (status === 401) location.reload();
  else setTimeout(connect, patienceMs);
}

function setStill(isStill) {
  document.body.classList.toggle('still', isStill);
  byId('still').setAttribute('aria-pressed', String(isStill));
}
