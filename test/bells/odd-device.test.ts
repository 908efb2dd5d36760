import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { dayOf } from '../../src/bells/calendar';
import { isMarked, type Mark } from '../../src/bells/marks';
import { ask, startFlow, stopFlow } from '../fixtures/flow';
import { listen } from '../fixtures/listening';
import { wordingIn } from '../fixtures/wording';
import { lesson } from './school';

/** What it answers to `GET /api/schedules`, in turn, the last one ever after; and to the POST, nothing for a reset. */
interface Odd {
  readonly databases: readonly ((posted: object[]) => unknown)[];
  readonly post?: string;
}

const empty = () => ({ format: 'v2.0', groups: [], events: [] });
const asPosted = (events: object[]) => ({ ...empty(), events: events.map((one) => ({ evid: 1, ...one })) });

describe('a device that is odd', () => {
  let server: Server;
  afterEach(async () => {
    await stopFlow();
    server.closeAllConnections();
    server.close();
  });

  async function sync({ databases, post }: Odd, more: object = {}) {
    let asked = 0;
    let posted: object[] = [];
    server = createServer(async (request, response) => {
      const body = await textOf(request);
      if (request.method === 'POST') {
        posted = JSON.parse(body).events;
        if (post === undefined) request.socket.destroy();
        else response.end(post);
      } else if (request.url === '/api/schedules') {
        const answer = databases[Math.min(asked, databases.length - 1)]?.(posted);
        asked += 1;
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
      } else {
        response.statusCode = 404;
        response.end();
      }
    });
    const address = `http://${await listen(server)}`;
    const known = { name: 'Odd', address, auth: 'none', model: '8301', firmware: '5.7' };
    const from = { target: 'device', device: 'device', parametersType: 'msg', parameters: 'payload' };
    await startFlow([
      { id: 'device', type: 'algo-device', ...known },
      { id: 'scheduler', type: 'algo-scheduler', operation: 'sync', ...from, ...more },
    ]);
    const { sent, caught } = await ask('scheduler', { payload: { tag: 'school', bells: [lesson] } });
    const [message = assert.fail()] = [...caught, ...sent];
    const { outcome } = message.receipts?.[0] ?? {};
    return { outcome, code: message.error?.code, words: String(message.error?.message), posted };
  }

  it('is believed without a status, a list of tones and an echo', async () => {
    const { outcome, posted } = await sync({ databases: [empty], post: '' });
    assert.deepEqual([outcome, posted.length], ['accepted', 1]);
  });

  it('says yes and does nothing: that is an error where it is read back', async () => {
    const { outcome, code, words } = await sync({ databases: [empty], post: '{}' }, { confirmWrite: true });
    assert.deepEqual([outcome, code], ['failed', 'PROTOCOL']);
    assert.match(words, wordingIn('reasons:scheduleOtherwise'));
  });

  it('is told from one without bells when what it answers is no schedule', async () => {
    for (const odd of [{}, [], 'hello', { events: {} }, { events: [], groups: 1 }]) {
      const { code, words, posted } = await sync({ databases: [() => odd], post: '{}' });
      assert.deepEqual([code, posted], ['PROTOCOL', []], JSON.stringify(odd));
      assert.match(words, wordingIn('reasons:scheduleUnreadable'));
      assert.match(words, wordingIn('reasons:nothingChanged'));
      await stopFlow();
      server.closeAllConnections();
      server.close();
    }
  });

  it('is slow to do what it was told, and is looked at again', async () => {
    const { outcome } = await sync({ databases: [empty, empty, asPosted] });
    assert.equal(outcome, 'confirmed');
  });

  it('has not done what it was told, and that is a failure', async () => {
    const { outcome, words } = await sync({ databases: [empty] });
    assert.equal(outcome, 'failed');
    assert.match(words, wordingIn('reasons:scheduleAsBefore'));
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('days that are read back', () => {
  const day = dayOf('2030-09-09') ?? assert.fail();
  const event = { evid: 1, name: 'A', start_date: '2030-09-02', start_time: '08:00', rrule: 'FREQ=DAILY' };
  const other = { ...event, evid: 2, tag: 't' };
  const database = { groups: [], events: [event, other] };
  const instance = (evid: number, skipped: number) => ({
    evid,
    color: '',
    name: '',
    start_time: '',
    skipped,
  });
  const both = (first: number, second: number) => [instance(1, first), instance(2, second)];

  const table: readonly [mark: Mark, selector: object, shown: ReturnType<typeof both>, expected: boolean][] =
    [
      ['skip', {}, both(1, 1), true],
      ['skip', {}, both(1, 0), false],
      ['skip', { tag: 't' }, both(0, 1), true],
      ['skip', { evid: 1 }, both(0, 1), false],
      ['unskip', {}, both(0, 0), true],
      ['unskip', { evid: 2 }, both(1, 1), false],
      ['exclude', {}, [], true],
      ['exclude', {}, [instance(2, 0)], false],
      ['exclude', { evid: 1 }, [instance(2, 0)], true],
      ['unexclude', {}, both(0, 1), true],
      ['unexclude', {}, [instance(2, 0)], false],
      ['unexclude', { tag: 't' }, [instance(2, 0)], true],
    ];
  for (const [mark, selector, shown, expected] of table) {
    const evids = shown.map(({ evid, skipped }) => `${evid}${skipped ? ' skipped' : ''}`).join(', ');
    it(`${mark} of ${JSON.stringify(selector)} is ${expected ? '' : 'not '}done, where the day has ${evids || 'nothing'}`, async () => {
      const calendar = { '2030-09-09': shown };
      assert.equal(await isMarked(mark, [day], selector, database, calendar), expected);
    });
  }

  it('unexclude cannot be seen where an event has the day in its own exdate and stays silent', async () => {
    const excepted = { groups: [], events: [{ ...event, exdate: '2030-09-09' }, other] };
    const read = (shown: ReturnType<typeof both>) =>
      isMarked('unexclude', [day], {}, excepted, { '2030-09-09': shown });
    assert.equal(await read([instance(2, 0)]), undefined);
    assert.equal(await read(both(0, 0)), true);
    assert.equal(await read([]), false);
  });
});
