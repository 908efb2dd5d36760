import { strobePatterns } from '../catalogue/strobe-patterns';

/**
 * Descriptions for users of the HTTP interface, keyed by resource or operation. The help in the node does not
 * apply to these users.
 */
const effects: Readonly<Record<string, string>> = {
  system: 'Reboots a device, reloads its services, and looks for and installs firmware.',
  tone: 'Plays a tone on a speaker, a paging adapter or an intercom, once or until it is stopped, or plays a recording that is uploaded for it.',
  'tone/stop': 'Stops the tone. Firmware 5.4 and older wants its path, later firmware no body.',
  'files/get': 'Gets the content of a file. The path of a folder within the folder lists its files.',
};

/** Descriptions of fields for which a node accepts names, but a device accepts only numbers. */
const numbers: Readonly<Record<string, string>> = {
  pattern: `A pattern by its number, which is another one on another model. ${patternsInWords()}`,
  ledlvl: 'Brightness. Low, medium and high are 1, 2 and 3 on the 8190S, and 0, 56 and 255 on the others.',
  strobeFlash:
    'Lights the strobe with a pattern, by its number, as strobe/start does. Flashing light can trigger seizures in people with photosensitive epilepsy.',
  strobeLedlvl: 'Brightness of the strobe. Low, medium and high are 0, 56 and 255.',
};

/** Boolean fields that a device also accepts as text (4.8.1); a node sends only booleans. */
const booleans = ['textScroll'];

export function textsOnWire(name: string): { readonly words?: readonly string[] } {
  return booleans.includes(name) ? { words: ['true', 'false'] } : {};
}

export function effectOnWire(of: string, description: string): string {
  return effects[of] ?? description;
}

export function numberOnWire(name: string, description: string): string {
  return numbers[name] ?? description;
}

function patternsInWords(): string {
  const models = Object.entries(strobePatterns).map(([model, patterns]) => {
    const named = Object.entries(patterns).map(([name, number]) => `${number} ${name}`);
    return `${model}: ${named.join(', ')}.`;
  });
  return models.join(' ');
}
