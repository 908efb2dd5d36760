export type StrobeModel = '8128' | '8138' | '8190S' | '8410' | '8420';

export type PortablePattern = 'steady' | 'slow' | 'fast';

export type Brightness = 'low' | 'medium' | 'high';

const alerter = {
  'Rotate Fast': 0,
  'Rotate Slow': 1,
  'Multi-strobe Fast': 3,
  'Multi-strobe Slow': 5,
  'Rotating Strobe': 7,
  Steady: 8,
  'Side to Side': 11,
  Flashing: 12,
  'Classic Strobe Fast': 13,
  'Classic Strobe Medium': 14,
  'Classic Strobe Slow': 15,
} as const;

/**
 * Named patterns of displays. The names are from 4.8.2 for templates, and from docs/field-notes.md section 4
 * for all other uses.
 */
const display = {
  'On Steady': 0,
  'Strobe Fast': 2,
  'Slow Sweep': 3,
  'Fast Sweep': 4,
  'Reverse Slow Sweep': 5,
  'Reverse Fast Sweep': 6,
  'Flash All': 7,
  'Alternate Sides': 8,
  'Scan Slow': 9,
  'Scan Fast': 10,
  'Inside Out': 11,
  'Single Flash': 12,
  'Double Flash': 13,
  'Triple Flash': 14,
  Off: 15,
} as const;

export const strobePatterns = {
  '8128': alerter,
  '8138': {
    ...alerter,
    'Multicolor Spin': 2,
    'Multi-strobe Fast Two-color': 4,
    'Multi-strobe Slow Two-color': 6,
    'Steady Two-color': 9,
  },
  '8190S': {
    Steady: 0,
    Sparkle: 1,
    Multicolor: 2,
    'Flash Fast': 3,
    'Flash Slow': 4,
    'Flash Fast Alternating Sides': 5,
    'Flash Slow Alternating Sides': 6,
    'Classic Strobe Fast': 7,
    'Classic Strobe Medium': 8,
    'Classic Strobe Slow': 9,
  },
  '8410': display,
  '8420': display,
} as const satisfies Record<StrobeModel, Record<string, number>>;

export const portablePatterns = {
  '8128': { steady: 8, slow: 15, fast: 13 },
  '8138': { steady: 8, slow: 15, fast: 13 },
  '8190S': { steady: 0, slow: 9, fast: 7 },
  '8410': { steady: 0, slow: 3, fast: 2 },
  '8420': { steady: 0, slow: 3, fast: 2 },
} as const satisfies Record<StrobeModel, Record<PortablePattern, number>>;

/**
 * The portable pattern that replaces a named pattern on models without this named pattern. A name that is
 * neither fast nor steady becomes `slow`, the gentler choice. `Off` has no replacement: a message that turns
 * off a display must not light up other models.
 */
export const portableReplacements: Readonly<Record<string, PortablePattern>> = {
  'Rotate Fast': 'fast',
  'Rotate Slow': 'slow',
  'Multi-strobe Fast': 'fast',
  'Multi-strobe Slow': 'slow',
  'Rotating Strobe': 'slow',
  Steady: 'steady',
  'Side to Side': 'slow',
  Flashing: 'slow',
  'Classic Strobe Fast': 'fast',
  'Classic Strobe Medium': 'slow',
  'Classic Strobe Slow': 'slow',
  'Multicolor Spin': 'slow',
  'Multi-strobe Fast Two-color': 'fast',
  'Multi-strobe Slow Two-color': 'slow',
  'Steady Two-color': 'steady',
  Sparkle: 'slow',
  Multicolor: 'slow',
  'Flash Fast': 'fast',
  'Flash Slow': 'slow',
  'Flash Fast Alternating Sides': 'fast',
  'Flash Slow Alternating Sides': 'slow',
  'On Steady': 'steady',
  'Strobe Fast': 'fast',
  'Slow Sweep': 'slow',
  'Fast Sweep': 'fast',
  'Reverse Slow Sweep': 'slow',
  'Reverse Fast Sweep': 'fast',
  'Flash All': 'slow',
  'Alternate Sides': 'slow',
  'Scan Slow': 'slow',
  'Scan Fast': 'fast',
  'Inside Out': 'slow',
  'Single Flash': 'slow',
  'Double Flash': 'slow',
  'Triple Flash': 'slow',
};

export const brightnessLevels = {
  '8128': { low: '0', medium: '56', high: '255' },
  '8138': { low: '0', medium: '56', high: '255' },
  '8190S': { low: '1', medium: '2', high: '3' },
  '8410': { low: '0', medium: '56', high: '255' },
  '8420': { low: '0', medium: '56', high: '255' },
} as const satisfies Record<StrobeModel, Record<Brightness, string>>;

export const brightnessNames = ['low', 'medium', 'high'] as const satisfies readonly Brightness[];

/**
 * All names of patterns, the portable names first. The name `Steady` of some models is left out: names are
 * not case-sensitive, and the portable `steady` means the same.
 */
export const patternNames: readonly string[] = [
  'steady',
  'slow',
  'fast',
  ...new Set(
    Object.values(strobePatterns)
      .flatMap((patterns) => Object.keys(patterns))
      .filter((name) => name !== 'Steady'),
  ),
];

/**
 * The models that support each named pattern. The portable names are missing, since all models support these
 * names.
 */
export const patternModels = modelsOf(strobePatterns);

export const brightnessModels = modelsOf(
  Object.fromEntries(
    Object.entries(brightnessLevels).map(([model, levels]) => [
      model,
      Object.fromEntries(Object.values(levels).map((level) => [level, level])),
    ]),
  ),
);

function modelsOf(
  known: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Readonly<Record<string, readonly string[]>> {
  const models = Object.entries(known);
  const names = new Set(models.flatMap(([, values]) => Object.keys(values)));
  return Object.fromEntries(
    [...names].map((name) => [name, models.flatMap(([model, values]) => (name in values ? [model] : []))]),
  );
}
