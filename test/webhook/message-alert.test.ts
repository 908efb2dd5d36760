import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import helper from 'node-red-node-test-helper';
import { exampleFile } from '../fixtures/examples';
import { stopFlow, type TestMessage } from '../fixtures/flow';
import { deploy, type Stage } from '../nodes/stage';

const token = 'a token that nobody guesses';
const mailToken = 'another token that nobody guesses';

describe('the example of a lockdown by message', () => {
  let folder: string;
  let stage: Stage;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'algo-message-alert-'));
    await new Promise<void>((resolve) => void helper.startServer(() => resolve()));
    const port = Number(new URL(helper.url()).port);
    const credentials = { 'mail-alert-hook': { password: token } };
    const title = 'Lockdown by an e-mail or a chat message with a token';
    stage = await deploy(exampleFile(title), folder, { port, credentials });
  });
  afterEach(async () => {
    delete process.env.MAIL_TOKEN;
    await stopFlow();
    await new Promise<void>((resolve) => void helper.stopServer(() => resolve()));
    await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  const isAt = (name: string) => (message: TestMessage) => name in message;
  const says = (words: string) => (message: TestMessage) => String(message.payload).startsWith(words);
  const ask = async (text: string, given = token) => {
    const headers = { Authorization: `Bearer ${given}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ user: 'Ada', text });
    return (await fetch(`${helper.url()}/algo/chat`, { method: 'POST', headers, body })).status;
  };

  it('is started and cleared by a chat message', async () => {
    const strobe = await stage.behind('Office strobe');
    const answered = stage.next(says('Lockdown start'));
    assert.equal(await ask('Lockdown now!'), 200);
    assert.match(String((await answered).payload), /^Lockdown start, asked by Ada: Office strobe accepted/);
    assert.notEqual(strobe.state.strobe, null);
    const others = stage.next(isAt('words'));
    assert.equal(await ask('lockdowns are bad'), 200);
    assert.equal((await others).words, 'lockdowns are bad');
    assert.equal(await ask('all clear', 'some other token'), 401);
    assert.notEqual(strobe.state.strobe, null);
    const cleared = stage.next(says('Lockdown clear'));
    assert.equal(await ask('All clear'), 200);
    await cleared;
    assert.equal(strobe.state.strobe, null);
  });

  it('is started and cleared by an e-mail with the token only', async () => {
    const strobe = await stage.behind('Office strobe');
    const refused = await stage.press('An e-mail: lockdown');
    assert.equal(refused.from, 'ada@example.com');
    process.env.MAIL_TOKEN = 'short';
    await stage.press('An e-mail: lockdown', isAt('from'));
    process.env.MAIL_TOKEN = mailToken;
    await stage.feed('mail-alert-token', { topic: 'Lockdown', payload: 'Please', from: 'eve' }, isAt('from'));
    assert.equal(strobe.state.strobe, null);
    const { payload } = await stage.press('An e-mail: lockdown', says('Lockdown start'));
    assert.ok(!String(payload).includes(mailToken));
    assert.notEqual(strobe.state.strobe, null);
    await stage.press('An e-mail: all-clear', says('Lockdown clear'));
    assert.equal(strobe.state.strobe, null);
  });
});
