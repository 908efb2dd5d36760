import { operation } from '../../catalogue/named';
import type { Answer } from '../../client/client';
import { DeviceError, wordsOf } from '../../client/errors';
import type { Device } from '../device/device';

const limitMs = 5_000;
/** So many devices are asked at once: a person waits, but messages come first. */
const atOnce = 20;

/** Those that are to be asked, so that nobody is asked twice at once. */
const underWay = new Set<Device>();
/** Those of them whose turn has not come. */
const waiting: Device[] = [];
let working = 0;

/**
 * Asks devices who they are, as readings: behind all messages.
 * @returns how many are asked; what they say is in their records as it comes
 */
export function askWhoTheyAre(devices: readonly Device[]): number {
  const asked = [...new Set(devices)].filter((device) => !underWay.has(device));
  for (const device of asked) underWay.add(device);
  waiting.push(...asked);
  while (working < atOnce && waiting.length > 0) void askEach();
  return asked.length;
}

/** Never rejects. */
async function askEach(): Promise<void> {
  working += 1;
  for (let device = waiting.shift(); device; device = waiting.shift()) {
    const answer = await about(device);
    // One that does not answer may still be the one that it was.
    if (answer) await device.recognition.ask(async () => answer);
    device.sight.revision += 1;
    underWay.delete(device);
  }
  working -= 1;
}

/** Never rejects: what went wrong is noted at the device. */
async function about(device: Device): Promise<Answer | undefined> {
  try {
    return await device.call(operation('info/about'), {}, { reading: true, withinMs: limitMs });
  } catch (error) {
    const { code, message, said } =
      error instanceof DeviceError ? error : { code: 'PROTOCOL', message: wordsOf(error), said: undefined };
    const at = new Date(device.timing.now()).toISOString();
    device.sight.noteError('info/about', { code, message, said }, at);
    return undefined;
  }
}
