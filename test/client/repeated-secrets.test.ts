import assert from 'node:assert/strict';
import { operationNamed } from '../catalogue/check';
import { about, ClientFixture, failureOf, munlock } from '../fixtures/client-fixture';
import { wordingIn } from '../fixtures/wording';

describe('client: a device that repeats what it was sent', () => {
  const fixture = new ClientFixture();
  afterEach(() => fixture.clear());

  /** The login as it was sent, and as Basic has it before it is encoded. */
  const sentBy = ({ headers }: { headers: Record<string, unknown> }) => {
    const sent = String(headers.authorization).split(/[ :]/).at(-1) ?? '';
    return { sent, login: Buffer.from(sent, 'base64').toString() };
  };

  for (const auth of ['standard', 'basic'] as const) {
    it(`as part of a path: no error has it (${auth})`, async () => {
      for (const written of [(text: string) => text, encodeURIComponent]) {
        const address = await fixture.http((seen, response) =>
          response.writeHead(302, { Location: `/login/${written(sentBy(seen).sent)}/x` }).end(),
        );
        const settings = { auth, password: 'hidden~~word??é' };
        const { message } = await failureOf(fixture.client(address, settings).call(munlock));
        assert.match(message, wordingIn('reasons:redirects', { status: 302, url: `${address}/login/-/x` }));
      }
    });
  }

  it('after decoding it: neither an error nor an answer has the password', async () => {
    const address = await fixture.http((seen, response) => {
      const body = JSON.stringify({ error: `no ${sentBy(seen).login} here` });
      response.writeHead(seen.method === 'GET' ? 200 : 400, { 'Content-Type': 'application/json' }).end(body);
    });
    const client = fixture.client(address, { auth: 'basic', password: 'hidden wörd' });
    const error = await failureOf(client.call(munlock));
    assert.match(error.message, /"no \[signature\] here"/);
    assert.deepEqual(error.response, { error: 'no [signature] here' });
    const { body } = await client.call(about);
    assert.deepEqual(body, { error: 'no [signature] here' });
  });

  it('alone: a rejection has no password, unless it is as short as the factory password', async () => {
    const address = await fixture.http((seen, response) => {
      const [, password = ''] = sentBy(seen).login.split(':');
      response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ error: `bad ${password}` }));
    });
    for (const [password, expected] of [
      ['hidden word', 'bad [signature]'],
      ['hid"den\\word', 'bad [signature]'],
      ['algo', 'bad algo'],
    ] as const) {
      const error = await failureOf(fixture.client(address, { auth: 'basic', password }).call(munlock));
      assert.deepEqual(error.response, { error: expected });
      assert.ok(error.message.includes(expected));
    }
  });

  it('in an answer that cannot be read: no error has the login or the password', async () => {
    for (const auth of ['standard', 'basic'] as const) {
      const address = await fixture.http((seen, response) => {
        const { sent, login } = sentBy(seen);
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(`no ${sent} ${login} hidden~word`);
      });
      const { message } = await failureOf(
        fixture.client(address, { auth, password: 'hidden~word' }).call(about),
      );
      assert.match(message, /no \[signature\]/);
      assert.doesNotMatch(message, /hidden/);
    }
  });

  it('of a setting: no error has the password that was written, with its name or without', async () => {
    const answers = [
      'value "rats and mice" too short',
      '{"error":"rats and mice"}',
      'api.admin.pwd is rats and mice',
    ];
    for (const status of [400, 500]) {
      for (const words of answers) {
        const address = await fixture.http((_seen, response) => response.writeHead(status).end(words));
        const parameters = { 'api.admin.pwd': 'rats and mice', 'audio.page.vol': '-12dB' };
        const put = operationNamed('settings/put');
        const { message } = await failureOf(fixture.client(address).call(put, parameters));
        assert.doesNotMatch(message, /rats/);
      }
    }
  });
});
