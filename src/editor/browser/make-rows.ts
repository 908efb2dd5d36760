import type { Row } from './row';

/** The page is held no longer than this while many rows are made. */
const sliceMs = 30;

/** Makes rows that are to be seen, in slices: a typedInput takes milliseconds. */
export class RowMaker {
  /** Rows are being made, which tell of changes meanwhile. */
  isMaking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param rows those that are in the form now
   * @param element what they are in; it may be gone before all are made
   */
  constructor(
    private readonly rows: () => readonly Row[],
    private readonly element: HTMLElement,
  ) {}

  /** Makes the first of them now. */
  begin(): void {
    const end = performance.now() + sliceMs;
    clearTimeout(this.timer);
    this.isMaking = true;
    const waiting = this.rows().filter((row) => row.isThere && !row.isMade);
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.make();
    this.isMaking = false;
    if (waiting.length > 0) this.timer = setTimeout(() => this.element.isConnected && this.begin());
    RED.tray.resize();
  }
}
