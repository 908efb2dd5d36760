import assert from 'node:assert/strict';
import type { WireRequest } from '../../../src/client/call';
import { type Answered, answeredWith } from '../../../src/runtime/device/record';

const get = (path: string) => ({ method: 'GET', path }) as const;

describe('the names that a device has answered for', () => {
  let known: { answered?: Answered | undefined };
  const note = (request: WireRequest, body: unknown) => {
    known.answered = answeredWith(known.answered, request, body);
  };
  const names = (kind: keyof Answered) => known.answered?.[kind] ?? [];
  beforeEach(() => {
    known = {};
  });

  it('are those of settings that were in the answer, without what they hold', () => {
    note(get('/api/settings/audio.page.vol'), { 'audio.page.vol': '-18dB' });
    note(get('/api/settings/audio.page.vol'), { 'audio.page.vol': '-21dB' });
    note(get('/api/settings/not.there'), { error: 'no such setting' });
    note(get('/api/settings/no.answer'), undefined);
    note(get('/api/settings/api.admin.pwd?x=1'), { 'api.admin.pwd': 'hunter2' });
    note({ method: 'PUT', path: '/api/settings' }, { 'was.written': '1' });
    assert.deepEqual(names('settings'), ['audio.page.vol', 'api.admin.pwd']);
    assert.deepEqual(names('folders'), []);
  });

  it('are the folders that were listed, and those of files that were there', () => {
    note(get('/api/info/status'), { filelist: [] });
    assert.equal(known.answered, undefined);
    note(get('/api/files/tones'), { filelist: [] });
    note(get('/api/files/night%20bells/chime.wav'), Buffer.from('RIFF'));
    note({ method: 'PUT', path: '/api/files/images/a/b.png' }, undefined);
    note(get('/api/file-md5sum/music/x.wav'), { md5sum: '0'.repeat(32) });
    note({ method: 'DELETE', path: '/api/files/' }, undefined);
    note(get('/api/files/alone.wav'), Buffer.alloc(0));
    note(get('/api/info/status'), { filelist: [] });
    assert.deepEqual(names('folders'), ['tones', 'night bells', 'images/a', 'music']);
  });

  it('are few, short, and none that leads elsewhere', () => {
    for (let number = 0; number <= 200; number += 1)
      note(get(`/api/settings/s.${number}`), { [`s.${number}`]: '' });
    assert.equal(names('settings').length, 200);
    assert.deepEqual([names('settings').at(0), names('settings').at(-1)], ['s.1', 's.200']);
    const long = 'x'.repeat(201);
    const odd = [long, 'a%00b', 'a%2Fb', '..', '%', '%E0%A4%A'];
    for (const name of odd) {
      note(get(`/api/settings/${name}`), { [name]: '', 'a/b': '', 'a\0b': '' });
      note(get(`/api/files/${name}/x`), undefined);
    }
    assert.deepEqual(names('settings').slice(-2), ['%', '%E0%A4%A']);
    assert.deepEqual(names('folders'), ['a/b', '%', '%E0%A4%A']);
  });
});
