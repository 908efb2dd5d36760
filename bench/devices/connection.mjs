/** One connection to a device: reads requests and writes answers, and takes as little time for it as it can. */
import { answerTo, refusal } from './answers.mjs';
import { isSigned } from './signature.mjs';

const endOfHead = Buffer.from('\r\n\r\n');

/** Bodies beyond this are counted and thrown away, not looked at. */
const shortBody = 65_536;

/**
 * Answers whatever comes over a socket.
 * @param device `{ state, delayMs }`
 * @param noteRequest told of the path of each request
 */
export function answerOver(socket, device, noteRequest) {
  let rest = Buffer.alloc(0);
  /** The request whose body is still coming. */
  let coming;
  let isFirst = true;

  function say(answer, closes) {
    if (closes) socket.end(answer);
    else socket.write(answer);
  }

  function finish({ path, closes }, isRefused) {
    noteRequest(path);
    const answer = isRefused ? refusal() : answerTo(path, device.state);
    if (device.delayMs) setTimeout(say, device.delayMs, answer, closes);
    else say(answer, closes);
  }

  /** Takes one request, or what there is of a long one, off the rest. Returns whether it may go on. */
  function take() {
    if (coming) {
      const taken = Math.min(coming.left, rest.length);
      rest = rest.subarray(taken);
      coming.left -= taken;
      if (coming.left > 0) return false;
      finish(coming, false);
      coming = undefined;
      return rest.length > 0;
    }
    const end = rest.indexOf(endOfHead);
    if (end < 0) return false;
    const head = headOf(rest.latin1Slice(0, end));
    const from = end + endOfHead.length;
    if (head.length > shortBody) {
      coming = { ...head, left: head.length };
      rest = rest.subarray(from);
      return true;
    }
    if (rest.length < from + head.length) return false;
    // A contestant that signs wrongly would be measured all the same.
    const isRefused = isFirst && !isSigned(head, rest.subarray(from, from + head.length));
    isFirst = isRefused;
    rest = rest.subarray(from + head.length);
    finish(head, isRefused);
    return rest.length > 0;
  }

  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (take());
  });
}

function headOf(text) {
  const lines = text.split('\r\n');
  const [method, path] = lines[0].split(' ');
  const headers = {};
  for (let index = 1; index < lines.length; index += 1) {
    const colon = lines[index].indexOf(':');
    headers[lines[index].slice(0, colon).toLowerCase()] = lines[index].slice(colon + 1).trim();
  }
  const length = Number(headers['content-length'] ?? 0);
  return { method, path, headers, length, closes: headers.connection === 'close' };
}
