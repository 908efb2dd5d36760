import { whenThere } from '../page/load';
import type { Row } from './row';

/** The maximum time in milliseconds for which one slice blocks the page. */
const sliceMs = 15;

/** Creates the typedInputs of visible rows in slices, because each typedInput takes milliseconds. */
export class RowMaker {
  /** Whether rows are being created, which report changes meanwhile. */
  isMaking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param rows returns the current rows of the form
   * @param element the element around the rows; the editor can remove it, for a time or for good, before all
   * rows are created
   */
  constructor(
    private readonly rows: () => readonly Row[],
    private readonly element: HTMLElement,
  ) {}

  /** Creates the first rows now, unless the next slice is already scheduled. */
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
