import type { Request, Spoiled, Transcript } from './transcript';

const controller = { model: '8063', firmware: '5.7' };
const unlock: Request = { line: 'POST /api/controls/door/unlock', json: { doorid: 'local' } };
const setting: Request = { line: 'GET /api/settings/audio.page.vol' };
const about: Request = { line: 'GET /api/info/about' };

const spoiled = (title: string, request: Request, signature: Spoiled): Transcript => ({
  title: `${request.line} is not let in: ${title}`,
  section: '5',
  device: controller,
  request: { ...request, signature },
  answer: { status: 403 },
});

/** 5 Authentication, Standard: what is signed badly is not done. */
export const transcripts: readonly Transcript[] = [
  spoiled('it is not signed', unlock, 'absent'),
  spoiled('it is not signed', about, 'absent'),
  spoiled('it comes with Basic', unlock, 'basic'),
  spoiled('another password signed it', unlock, 'other password'),
  spoiled('another password signed it', about, 'other password'),
  spoiled('another user signed it', unlock, 'other user'),
  spoiled('the signature is for another path', unlock, 'other path'),
  spoiled('the signature is for another path', about, 'other path'),
  spoiled('the signature is for another path', setting, 'other path'),
  spoiled('the signature is for another method', unlock, 'other method'),
  spoiled('the signature is for another body', unlock, 'other body'),
  spoiled('the digest is in capitals', unlock, 'capital digest'),
  spoiled('there is no Date', about, 'no date'),
  spoiled('there is no Content-MD5', unlock, 'no md5'),
  spoiled('the MD5 is base64', unlock, 'base64 md5'),
  spoiled('its clock is behind', about, 'clock 60 s behind'),
  spoiled('its clock is ahead', unlock, 'clock 60 s ahead'),
];
