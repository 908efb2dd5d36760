import { joinMessages, localized, type Text } from '../../catalogue/localized-message';
import type { Parameters } from '../../catalogue/operation';
import { nothingSent } from '../../catalogue/sentence';
import {
  type Brightness,
  brightnessLevels,
  brightnessNames,
  type PortablePattern,
  portablePatterns,
  portableReplacements,
  type StrobeModel,
  strobePatterns,
} from '../../catalogue/strobe-patterns';
import { DeviceError } from '../../client/errors';
import type { Identity } from '../device/identity';
import type { ActionHooks, Adapted } from './hooks';

const patternFields = ['pattern', 'strobeFlash'];
const brightnessFields = ['ledlvl', 'strobeLedlvl'];

interface Translated {
  readonly value: unknown;
  readonly note?: Text;
}

/**
 * Returns hooks that accept names of patterns and brightnesses, whose numbers differ between models
 * (docs/field-notes.md, section 4). A similar portable pattern replaces an unsupported pattern, with a note
 * in the receipt.
 */
export function strobesByName(): ActionHooks {
  // The parameters of a message are translated once for each model, and all its targets share the result.
  const memo = new WeakMap<Parameters, Map<StrobeModel | undefined, Adapted>>();
  return {
    needsModel: (parameters) =>
      strobeModelOf(parameters, {}) === undefined &&
      Object.entries(parameters).some(
        ([name, value]) => isPatternName(name, value) || isBrightnessName(name, value),
      ),
    adapt({ device, sharedParameters: parameters }, identity) {
      const model = strobeModelOf(parameters, identity);
      const ofModel = memo.get(parameters) ?? new Map<StrobeModel | undefined, Adapted>();
      const adapted = ofModel.get(model) ?? translateAll(parameters, model, device.name);
      memo.set(parameters, ofModel.set(model, adapted));
      return adapted;
    },
  };
}

function translateAll(parameters: Parameters, model: StrobeModel | undefined, deviceName: string): Adapted {
  const notes: Text[] = [];
  const entries = Object.entries(parameters).map(([name, value]) => {
    const translated = translate(name, value, model, deviceName);
    if (translated.note) notes.push(translated.note);
    return [name, translated.value] as const;
  });
  const note = joinMessages(notes);
  return { parameters: Object.fromEntries(entries), ...(note && { note }) };
}

/** Templates have the patterns and brightnesses of displays (docs/interface.md, section 4.8.2). */
function strobeModelOf(parameters: Parameters, { model }: Identity): StrobeModel | undefined {
  if (parameters.type === 'template') return '8410';
  return model !== undefined && model in strobePatterns ? (model as StrobeModel) : undefined;
}

function translate(
  name: string,
  value: unknown,
  model: StrobeModel | undefined,
  deviceName: string,
): Translated {
  if (typeof value !== 'string') return { value };
  if (isPatternName(name, value)) {
    return patternOf(name, value, model ?? modelIsMissing(name, value, deviceName));
  }
  if (isBrightnessName(name, value)) {
    return { value: brightnessLevels[model ?? modelIsMissing(name, value, deviceName)][value as Brightness] };
  }
  return model && brightnessFields.includes(name) ? inScale(name, value, model) : { value };
}

function isPatternName(name: string, value: unknown): boolean {
  return patternFields.includes(name) && typeof value === 'string';
}

function isBrightnessName(name: string, value: unknown): boolean {
  return brightnessFields.includes(name) && (brightnessNames as readonly unknown[]).includes(value);
}

function patternOf(name: string, value: string, model: StrobeModel): Translated {
  const own: Readonly<Record<string, number>> = strobePatterns[model];
  const found = Object.keys(own).find((pattern) => pattern.toLowerCase() === value.toLowerCase());
  if (found !== undefined) return { value: own[found] };
  const portable: Readonly<Record<string, number>> = portablePatterns[model];
  if (value in portable) return { value: portable[value] };
  const replacement: PortablePattern | undefined = portableReplacements[value];
  if (!replacement) {
    throw new DeviceError('INVALID_PARAMETER', nothingSent(localized('noPattern', { name, value, model })));
  }
  return { value: portable[replacement], note: localized('patternAkin', { model, value, kin: replacement }) };
}

function inScale(name: string, value: string, model: StrobeModel): Translated {
  const levels: readonly string[] = Object.values(brightnessLevels[model]);
  if (levels.includes(value)) return { value };
  const reason = localized('notInScale', { name, levels: levels.join(', '), model, value });
  throw new DeviceError('INVALID_PARAMETER', nothingSent(reason));
}

function modelIsMissing(name: string, value: string, deviceName: string): never {
  const reason = localized('modelUnknown', { name, value });
  throw new DeviceError('NOT_SUPPORTED', nothingSent(reason), { place: `"${deviceName}"` });
}
