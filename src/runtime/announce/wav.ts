/** Maximum number of chunks before the audio. Common files have two to five. */
const maxChunks = 1_000;

export function isWav(content: Uint8Array): boolean {
  return textAt(content, 0) === 'RIFF' && textAt(content, 8) === 'WAVE';
}

/**
 * Returns the length of a WAV file in milliseconds: the bytes of `data` that are there, divided by the bytes per
 * second. Speech programs that write into a pipe claim an unknown length, which the header cannot express.
 * @returns undefined if the file has no audio
 */
export function wavLengthMs(content: Uint8Array): number | undefined {
  if (!isWav(content)) return undefined;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let bytesPerSecond = 0;
  let offset = 12;
  for (let count = 0; count < maxChunks && offset + 8 <= content.length; count += 1) {
    const name = textAt(content, offset);
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (name === 'fmt ' && start + 12 <= content.length) bytesPerSecond = view.getUint32(start + 8, true);
    if (name === 'data') {
      const bytes = Math.min(size, content.length - start);
      return bytesPerSecond > 0 && bytes > 0 ? (bytes / bytesPerSecond) * 1_000 : undefined;
    }
    // A chunk with an odd size has one more byte.
    offset = start + size + (size % 2);
  }
  return undefined;
}

function textAt(content: Uint8Array, offset: number): string {
  return String.fromCharCode(...content.subarray(offset, offset + 4));
}
