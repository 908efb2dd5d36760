import { whenThere } from '../page/load';
import type { Row } from './row';

/** The page is held no longer than this while many rows are made. */
const sliceMs = 15;

/** Makes rows that are to be seen, in slices: a typedInput takes milliseconds. */
export class RowMaker {
  /** Rows are being made, which tell of changes meanwhile. */
  isMaking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param rows those that are in the form now
   * @param element what they are in; it may be gone before all are made, or be out of the page for a while
   */
  constructor(
    private readonly rows: () => readonly Row[],
    private readonly element: HTMLElement,
  ) {}

  /** Makes the first of them now, unless that was done a moment ago. */
  begin(): void {
    if (this.timer === undefined && !this.isMaking) this.make();
  }

  private make(): void {
    const end = performance.now() + sliceMs;
    this.isMaking = true;
    const waiting = this.rows().filter((row) => row.isThere && !row.isMade);
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.make();
    this.isMaking = false;
    this.timer = waiting.length > 0 ? setTimeout(() => this.goOn()) : undefined;
  }

  private goOn(): void {
    this.timer = undefined;
    whenThere(this.element, () => this.make());
  }
}
