import assert from 'node:assert/strict';
import { withDevice } from '../with-device';
import { bell, call, day, get, nested, post } from './bells';

describe('the virtual device: what the scheduler accepts and refuses', () => {
  it('accepts what the document leaves optional or ignores', () =>
    withDevice({}, async (fixture) => {
      const { api_call: _, ...plain } = call;
      await post(fixture, {
        events: [
          {
            ...bell,
            enabled: true,
            auto_remove: 1,
            dtmf: 1,
            zone: 2,
            mgroup: 25,
            tag: 't',
            rdate: '2020-12-24',
            exdate: '2020-12-25,2020-12-26',
            api_call: [1],
          },
          { ...plain, event_type: 'sip_call', dtmf: 5 },
          {
            event_type: 'stream_audio',
            name: 'Radio',
            start_date: '2020-09-28',
            start_time: '12:00:00',
            rrule: '',
          },
          { ...call, duration: 60 },
        ],
        groups: [{ name: 'No color', start_date: '2020-09-28', rrule: '', rdate: '2020-12-24', events: [] }],
      });
    }));

  const noAudio: Partial<typeof bell> = { ...bell };
  delete noAudio.audio;
  const undated = { start_date: undefined, start_time: undefined };
  const wrong: readonly [string, object, RegExp][] = [
    ['the format', { format: 'v2.0', events: [] }, /format is not known/],
    ['an event without its tone', { events: [noAudio] }, /events\[0\]\.audio is missing/],
    ['a date that does not exist', { events: [{ ...bell, start_date: '2021-02-29' }] }, /start_date/],
    ['a time that does not exist', { events: [{ ...bell, start_time: '24:00' }] }, /start_time/],
    ['a rule with a blank', { events: [{ ...bell, rrule: 'FREQ=DAILY; COUNT=1' }] }, /whitespace/],
    ['a color by name', { events: [{ ...bell, color: 'red' }] }, /color/],
    ['enabled in words', { events: [{ ...bell, enabled: 'yes' }] }, /enabled/],
    ['a generated field', { events: [{ ...bell, duration: 3 }] }, /works it out/],
    ['greyed_out_date', { events: [{ ...bell, greyed_out_date: '' }] }, /works it out/],
    ['mgroup 26', { events: [{ ...bell, mgroup: 26 }] }, /mgroup/],
    [
      'a header that is no text, without saying it',
      { events: [{ ...call, api_call: [{ ...call.api_call[0], header: ['s3cr3t'] }] }] },
      /header must be a string, not that/,
    ],
    [
      'a payload of too many levels',
      {
        events: [
          { ...call, api_call: [{ ...call.api_call[0], payload: `${'['.repeat(101)}${']'.repeat(101)}` }] },
        ],
      },
      /payload must be a JSON document/,
    ],
    [
      'a delay of more',
      { events: [{ ...bell, ...undated, delay: 2 ** 53 - 1 }] },
      /not lead beyond the year 9999/,
    ],
    ['a delay with a start', { events: [{ ...bell, delay: 10 }] }, /delay must not come with/],
    ['an api_call without entries', { events: [{ ...call, api_call: [] }] }, /api_call is empty/],
    ['six api calls', { events: [{ ...call, api_call: Array(6).fill(call.api_call[1]) }] }, /at most 5/],
    [
      'an api call without a target',
      { events: [{ ...call, api_call: [{ method: 'GET', path: '/', header: '' }] }] },
      /api_call\[0\]\.target is missing/,
    ],
    [
      'a group without events',
      { groups: [{ name: 'g', start_date: '2020-09-28', rrule: '' }] },
      /groups\[0\]\.events is missing/,
    ],
    [
      'a wrong nested event',
      { groups: [{ ...day, events: [{ ...nested, start_time: 'noon' }] }] },
      /groups\[0\]\.events\[0\]\.start_time/,
    ],
    [
      'a nested event without its time',
      { groups: [{ ...day, events: [{ event_type: 'play_tone', name: 'n', audio: 'chime.wav' }] }] },
      /start_time is missing/,
    ],
    ['deleting everything', { delete: [{ evid: -1 }] }, /-1 cannot be deleted/],
    ['deleting what is not there', { delete: [{ evid: 9 }] }, /nothing has "evid":9/],
    ['deleting two things in one', { delete: [{ evid: 1, groupid: 1 }] }, /exactly one/],
    ['skipping by exdate', { skip: [{ evid: 1, exdate: '2020-09-28' }] }, /exdate is not known/],
    ['excluding without a date', { exclude: [{ evid: 1 }] }, /exdate is missing/],
  ];
  it('refuses with the reason and changes nothing', () =>
    withDevice({}, async (fixture) => {
      for (const [what, body, reason] of wrong) {
        const reply = await fixture.sendJson('POST /api/schedules', body);
        assert.equal(reply.status, 400, what);
        assert.match(JSON.parse(reply.text).error, reason, what);
      }
      assert.deepEqual(await get(fixture), { format: 'v2.0', groups: [], events: [] });
    }));
});
