import { isAmong } from '../../catalogue/among';
import { targetDevice } from './models';

/**
 * What the device that is chosen lacks of an operation, as far as its dialog says what it is; '' when nothing
 * speaks against it.
 * @param section the rows of the operation, which say who lacks it
 */
export function lackWords(node: EditorNode, section: HTMLElement | undefined, translate: Translate): string {
  const device = targetDevice(node);
  if (!section || !device || device.letDeviceDecide === true) return '';
  const { products = '"all"', firmware: since = '', operation = '' } = section.dataset;
  const model = modelIn(device.model);
  const isLacking = model !== '' && isAmong(JSON.parse(products), model) === false;
  const isOld = isOlder(String(device.firmware ?? ''), since);
  if (!isLacking && !isOld) return '';
  const what = isLacking ? `${model}` : String(device.firmware);
  const availability = translate(`operation.${operation}.availability`);
  return translate(isLacking ? 'form.lacks.model' : 'form.lacks.firmware', { what, availability });
}

/** The product number in what a person wrote. */
function modelIn(text: unknown): string {
  const found = /(?<!\d)(8\d{3})(S(?![a-z]))?(?!\d)/i.exec(String(text ?? '').slice(0, 100));
  return found ? `${found[1]}${found[2]?.toUpperCase() ?? ''}` : '';
}

/** Whether a firmware is older than another one; not, where it is none. */
function isOlder(firmware: string, since: string): boolean {
  const found = /^\s*(\d+(?:\.\d+)+)/.exec(firmware.slice(0, 40))?.[1];
  if (found === undefined || since === '') return false;
  const [have, want] = [found, since].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let part = 0; part < want.length; part += 1) {
    const difference = (have[part] ?? 0) - (want[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
