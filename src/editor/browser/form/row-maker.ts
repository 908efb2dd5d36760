import { whenInPage } from '../page/load';
import type { Row } from './row';

/** Time in milliseconds after which a slice creates no further rows, so that the page stays responsive. */
const sliceMs = 15;

/** Creates the typedInputs of visible rows in slices, because each typedInput takes milliseconds. */
export class RowMaker {
  /** Whether a slice is running. In the meantime, rows report changes that the user did not make. */
  isMaking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param rows returns the current rows of the form
   * @param element the element around the rows; slices after the first slice wait until the element is in the
   * page
   */
  constructor(
    private readonly rows: () => readonly Row[],
    private readonly element: HTMLElement,
  ) {}

  /** Starts to create rows, with the first slice now. Does nothing while a slice is running or scheduled. */
  begin(): void {
    if (this.timer === undefined && !this.isMaking) this.make();
  }

  private make(): void {
    const end = performance.now() + sliceMs;
    this.isMaking = true;
    const waiting = this.rows().filter((row) => row.isInForm && !row.isMade);
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.make();
    this.isMaking = false;
    this.timer = waiting.length > 0 ? setTimeout(() => this.goOn()) : undefined;
  }

  private goOn(): void {
    this.timer = undefined;
    whenInPage(this.element, () => this.make());
  }
}
