import assert from 'node:assert/strict';
import { Failure } from '../../src/client/failure';
import { buildRequest, checkRequest } from '../../src/client/request';
import { wordingIn } from '../fixtures/wording';

function refusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'INVALID_PARAMETER');
    return error.message;
  }
  return assert.fail('it was not refused');
}

describe('request builder', () => {
  it('makes parameters the JSON body, serialized once', () => {
    const request = buildRequest(
      { route: 'POST /api/controls/tone/start' },
      { path: 'chime.wav', loop: false, duration: undefined },
    );
    assert.equal(request.method, 'POST');
    assert.equal(request.path, '/api/controls/tone/start');
    assert.equal(request.body?.toString(), '{"path":"chime.wav","loop":false}');
    assert.equal(request.contentType, 'application/json');
  });

  it('sends no body when no parameter is given', () => {
    for (const parameters of [{}, { path: undefined }]) {
      const request = buildRequest({ route: 'POST /api/controls/tone/stop' }, parameters);
      assert.deepEqual(request, { method: 'POST', path: '/api/controls/tone/stop' });
    }
  });

  it('keeps trailing slashes', () => {
    const request = buildRequest({ route: 'POST /api/state/mcast/update/' }, { mode: 'sender' });
    assert.equal(request.path, '/api/state/mcast/update/');
  });

  it('fills one segment with a name, whatever is in it', () => {
    const request = buildRequest({ route: 'GET /api/settings/{name}' }, { name: 'a/b?c#d.é' });
    assert.deepEqual(request, { method: 'GET', path: '/api/settings/a%2Fb%3Fc%23d.%C3%A9' });
  });

  it('keeps the slashes of a file path and encodes every segment', () => {
    const request = buildRequest({ route: 'GET /api/files/{path}' }, { path: 'tones/50% off #1 ü.wav' });
    assert.equal(request.path, '/api/files/tones/50%25%20off%20%231%20%C3%BC.wav');
  });

  it('has a body beside a filled path', () => {
    const request = buildRequest({ route: 'PUT /api/x/{id}' }, { id: 7, level: '3' });
    assert.equal(request.path, '/api/x/7');
    assert.equal(request.body?.toString(), '{"level":"3"}');
  });

  it('fills the query with what is given, empty values too', () => {
    const route = 'GET /api/schedules?events={events}&days={days}' as const;
    assert.equal(buildRequest({ route }, {}).path, '/api/schedules');
    assert.equal(buildRequest({ route }, { events: '' }).path, '/api/schedules?events=');
    assert.equal(
      buildRequest({ route }, { events: '2026-01-05', days: 3 }).path,
      '/api/schedules?events=2026-01-05&days=3',
    );
    assert.equal(buildRequest({ route }, { events: 'a&b=c' }).path, '/api/schedules?events=a%26b%3Dc');
  });

  it('refuses what would become another route', () => {
    for (const path of ['../settings/x', 'tones/..', './x', 'tones//x', '', '/tones']) {
      const words = refusal(() => buildRequest({ route: 'GET /api/files/{path}' }, { path }));
      assert.match(words, wordingIn('reasons:emptyPart', { name: 'path' }), path);
    }
    assert.match(
      refusal(() => buildRequest({ route: 'GET /api/files/{path}' }, {})),
      wordingIn('reasons:missingInPath', { name: 'path' }),
    );
    assert.match(
      refusal(() => buildRequest({ route: 'GET /api/settings/{name}' }, { name: '\ud800' })),
      wordingIn('reasons:halfCharacter'),
    );
  });

  it('refuses parameters that a GET has no place for', () => {
    assert.match(
      refusal(() => buildRequest({ route: 'GET /api/info/about' }, { verbose: true })),
      /"verbose" is not used in the path/,
    );
  });

  it('refuses hand-made paths that leave the device or cannot be sent', () => {
    for (const path of [
      '',
      'api/x',
      '//evil.example/x',
      '/a b',
      '/ü',
      '/a#b',
      '/a\r\nX: y',
      '/a/..',
      '/../b',
      '/%2e%2E/b?c',
      '/./b',
      '/a\\b',
      '/%2e%2e%2fstranger/x',
      '/a%2Fb',
      '/a%252fb',
      '/%252e%252E/x',
      '/a%5cb',
      '/a%255Cb',
      '/a%0a',
      '/a%2500',
      '/a/..;x/b',
      '/%c0%ae%c0%ae/x',
      '/%25c0%25ae/x',
      '/%u002e%u002e/x',
    ]) {
      assert.match(
        refusal(() => checkRequest({ method: 'GET', path })),
        /"path"/,
        path,
      );
    }
    const body = Buffer.from('x');
    for (const contentType of ['', 'text/plain\r\nX: y']) {
      assert.match(
        refusal(() => checkRequest({ method: 'POST', path: '/x', body, contentType })),
        /"contentType"/,
      );
    }
    checkRequest({
      method: 'POST',
      path: '/x..y/.z/%20/%2525?y=../z%2f%5c',
      body,
      contentType: 'text/plain; charset=utf-8',
    });
  });
});
