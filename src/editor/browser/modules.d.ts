/** Types for the drawing code of the virtual device's panel, which is plain JavaScript. */
declare module '*/page/strobe.js' {
  export function strobePicture(
    strobe: {
      readonly pattern: number;
      readonly color1: string;
      readonly color2?: string;
      readonly ledlvl: string;
    },
    patterns: Readonly<Record<number, string>>,
  ): { readonly lamps: HTMLElement };
}
declare module '*/page/screen.js' {
  export function screenPicture(shown: {
    readonly screen?: Readonly<Record<string, unknown>> | undefined;
    readonly title?: string | undefined;
    readonly overlay?: Readonly<Record<string, unknown>> | undefined;
  }): { readonly words: string; readonly glass: HTMLElement };
}
declare module '*/page/clocks.js' {
  export function tickScreen(root: ParentNode, now: number): void;
}
declare module '*.css' {
  const text: string;
  export default text;
}
