/** Transfers shorter than this are not worth a status of their own, in bytes. */
const worthShowing = 256 * 1024;

/**
 * Turns the bytes of a transfer into words such as `40 %`, once for each tenth.
 * @param say shows the words
 * @returns what to call with the bytes so far and all bytes, which may not be known
 */
export function transferProgress(say: (text: string) => void): (bytes: number, all?: number) => void {
  let shown = 0;
  return (bytes, all) => {
    if (all === undefined || all < worthShowing) return;
    const tenths = Math.floor((bytes / all) * 10);
    if (tenths <= shown || tenths >= 10) return;
    shown = tenths;
    say(`${tenths * 10} %`);
  };
}
