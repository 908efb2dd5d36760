import { createCipheriv, createHash, randomBytes, randomFillSync } from 'node:crypto';

/** The sizes of the parts of a nonce, in bytes: random bytes, their mark and the tag of the target. */
const randomLength = 8;
const markLength = 5;
const tagLength = 3;

const markedLength = randomLength + markLength;

const blockLength = 16;

/** The key of this process. Without it, no one can tell or make the marks of this process. */
const cipher = createCipheriv('aes-128-ecb', randomBytes(blockLength), null).setAutoPadding(false);

/**
 * Returns the marks of random bytes, each in a block of its own. One call marks many blocks, because a call
 * costs more than a hundred blocks.
 */
function marksOf(blocks: Buffer): Buffer {
  return cipher.update(blocks);
}

const batch = 256;

/** Random bytes with their marks for one batch of nonces. */
const marked = Buffer.allocUnsafeSlow(batch * markedLength);
let usedBytes = marked.length;

function refill(): void {
  const blocks = Buffer.alloc(batch * blockLength);
  randomFillSync(marked);
  for (let n = 0; n < batch; n += 1)
    marked.copy(blocks, n * blockLength, n * markedLength, n * markedLength + randomLength);
  const marks = marksOf(blocks);
  for (let n = 0; n < batch; n += 1)
    marks.copy(marked, n * markedLength + randomLength, n * blockLength, n * blockLength + markLength);
  usedBytes = 0;
}

/**
 * Returns a string of 32 hex digits, new for every request. This process recognizes its own nonces by their
 * marks, and stores none of them.
 * @param tag of the target, as `targetTag` returns it
 */
export function createNonce(tag = '0'.repeat(2 * tagLength)): string {
  if (usedBytes === marked.length) refill();
  usedBytes += markedLength;
  return marked.toString('hex', usedBytes - markedLength, usedBytes) + tag;
}

/** Returns the tag of a host and a port, by which `wasMadeForOther` compares targets. */
export function targetTag(host: string, port: number): string {
  const hash = createHash('sha256').update(`${host}:${port}`).digest();
  return hash.toString('hex', 0, tagLength);
}

/**
 * Whether this process made a nonce for a request to another target than these. A signature names no host, so
 * anyone who reads such a request can send it to this computer.
 * @param nonce of a request that came to this computer, with a valid signature
 * @param own the tags of targets that lead to this computer
 */
export function wasMadeForOther(nonce: string, own: readonly string[]): boolean {
  if (!/^[0-9a-f]{32}$/.test(nonce)) return false;
  const bytes = Buffer.from(nonce, 'hex');
  const block = Buffer.alloc(blockLength);
  bytes.copy(block, 0, 0, randomLength);
  const mark = marksOf(block).subarray(0, markLength);
  const isOwn = mark.equals(bytes.subarray(randomLength, markedLength));
  return isOwn && !own.includes(nonce.slice(2 * markedLength));
}
