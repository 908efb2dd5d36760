import assert from 'node:assert/strict';
import { Answered } from '../../../src/runtime/device/answered';

const get = (path: string) => ({ method: 'GET', path }) as const;

describe('the names that a device has answered for', () => {
  let answered: Answered;
  beforeEach(() => {
    answered = new Answered();
  });

  it('are those of settings that were in the answer, without what they hold', () => {
    answered.note(get('/api/settings/audio.page.vol'), { 'audio.page.vol': '-18dB' });
    answered.note(get('/api/settings/audio.page.vol'), { 'audio.page.vol': '-21dB' });
    answered.note(get('/api/settings/not.there'), { error: 'no such setting' });
    answered.note(get('/api/settings/no.answer'), undefined);
    answered.note(get('/api/settings/api.admin.pwd?x=1'), { 'api.admin.pwd': 'hunter2' });
    answered.note({ method: 'PUT', path: '/api/settings' }, { 'was.written': '1' });
    assert.deepEqual(answered.settings, ['audio.page.vol', 'api.admin.pwd']);
    assert.deepEqual(answered.folders, []);
  });

  it('are the folders that were listed, and those of files that were there', () => {
    assert.equal(answered.isEmpty, true);
    answered.note(get('/api/files/tones'), { filelist: [] });
    answered.note(get('/api/files/night%20bells/chime.wav'), Buffer.from('RIFF'));
    answered.note({ method: 'PUT', path: '/api/files/images/a/b.png' }, undefined);
    answered.note(get('/api/file-md5sum/music/x.wav'), { md5sum: '0'.repeat(32) });
    answered.note({ method: 'DELETE', path: '/api/files/' }, undefined);
    answered.note(get('/api/files/alone.wav'), Buffer.alloc(0));
    answered.note(get('/api/info/status'), { filelist: [] });
    assert.deepEqual(answered.folders, ['tones', 'night bells', 'images/a', 'music']);
    assert.equal(answered.isEmpty, false);
  });

  it('are few, short, and none that leads elsewhere', () => {
    for (let number = 0; number <= 200; number += 1)
      answered.note(get(`/api/settings/s.${number}`), { [`s.${number}`]: '' });
    assert.equal(answered.settings.length, 200);
    assert.deepEqual([answered.settings[0], answered.settings.at(-1)], ['s.1', 's.200']);
    const long = 'x'.repeat(201);
    const odd = [long, 'a%00b', 'a%2Fb', '..', '%', '%E0%A4%A'];
    for (const name of odd) {
      answered.note(get(`/api/settings/${name}`), { [name]: '', 'a/b': '', 'a\0b': '' });
      answered.note(get(`/api/files/${name}/x`), undefined);
    }
    assert.deepEqual(answered.settings.slice(-2), ['%', '%E0%A4%A']);
    assert.deepEqual(answered.folders, ['a/b', '%', '%E0%A4%A']);
  });
});
