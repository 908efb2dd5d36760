type Patterns = Readonly<Record<number, string>>;

const visualAlerter: Patterns = {
  0: 'Rotate Fast',
  1: 'Rotate Slow',
  3: 'Multi-strobe Fast',
  5: 'Multi-strobe Slow',
  7: 'Rotating Strobe',
  8: 'Steady',
  11: 'Side to Side',
  12: 'Flashing',
  13: 'Classic Strobe Fast',
  14: 'Classic Strobe Medium',
  15: 'Classic Strobe Slow',
};

const displayPatterns: Patterns = {
  0: 'On Steady',
  2: 'Strobe Fast',
  3: 'Slow Sweep',
  4: 'Fast Sweep',
  5: 'Reverse Slow Sweep',
  6: 'Reverse Fast Sweep',
  7: 'Flash All',
  8: 'Alternate Sides',
  9: 'Scan Slow',
  10: 'Scan Fast',
  11: 'Inside Out',
  12: 'Single Flash',
  13: 'Double Flash',
  14: 'Triple Flash',
  15: 'Off',
};

/**
 * The name of each pattern number, keyed by model (docs/field-notes.md section 4). The interface document has
 * no names for strobe/start.
 */
export const strobePatterns: Readonly<Record<string, Patterns>> = {
  '8128': visualAlerter,
  '8138': {
    ...visualAlerter,
    2: 'Multicolor Spin',
    4: 'Multi-strobe Fast Two-color',
    6: 'Multi-strobe Slow Two-color',
    9: 'Steady Two-color',
  },
  '8190S': {
    0: 'Steady',
    1: 'Sparkle',
    2: 'Multicolor',
    3: 'Flash Fast',
    4: 'Flash Slow',
    5: 'Flash Fast Alternating Sides',
    6: 'Flash Slow Alternating Sides',
    7: 'Classic Strobe Fast',
    8: 'Classic Strobe Medium',
    9: 'Classic Strobe Slow',
  },
  '8410': displayPatterns,
  '8420': displayPatterns,
};
