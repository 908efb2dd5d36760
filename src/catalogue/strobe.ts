import type { OperationGroup, Products } from './operation';
import { brightnessModels, brightnessNames, patternModels, patternNames } from './strobe-patterns';

/** The number 8128 includes the 8128G2. */
const products = { models: ['8128', '8138', '8190S', '8410', '8420'] } as const satisfies Products;

const colors = ['red', 'blue', 'green', 'amber'] as const;

export const strobe = {
  resource: 'strobe',
  operations: [
    {
      id: 'start',
      title: 'Flash',
      description:
        'Lights the strobe. Flashing light can trigger seizures in people with photosensitive epilepsy.',
      section: '4.10',
      route: 'POST /api/controls/strobe/start',
      firmware: '3.3',
      products: products,
      repeatable: true,
      urgent: false,
      deviceOutput: { name: 'strobe' },
      autoStop: { by: 'stop', field: 'duration' },
      answer: 'none',
      fields: {
        pattern: {
          type: 'integer',
          title: 'Pattern',
          description:
            'A pattern by its name, or by its number on this model. The names steady, slow and fast are known to every model.',
          minimum: 0,
          names: patternNames,
          pick: 'pattern',
          valueModels: patternModels,
          examples: ['slow'],
        },
        color1: {
          type: 'string',
          title: 'Color',
          description: 'Color of the light.',
          pick: 'lamp',
          enum: colors,
        },
        color2: {
          type: 'string',
          title: 'Second color',
          description: 'Second color, for patterns with two colors.',
          pick: 'lamp',
          enum: colors,
          products: { models: ['8138', '8410', '8420'] },
        },
        ledlvl: {
          type: 'string',
          title: 'Brightness',
          description:
            'Low, medium or high, or the number that the model has for it: 1, 2 or 3 on the 8190S; 0, 56 or 255 on the other models.',
          enum: ['0', '56', '255', '1', '2', '3'],
          names: brightnessNames,
          pick: 'level',
          valueModels: brightnessModels,
          examples: ['high'],
        },
        duration: {
          type: 'integer',
          title: 'Duration',
          description: 'Switches the strobe off after this time.',
          minimum: 0,
          unit: 's',
          foremost: true,
          firmware: '5.7',
          examples: [10],
        },
      },
      required: ['pattern', 'color1', 'ledlvl'],
    },
    {
      id: 'stop',
      title: 'Stop the strobe',
      description: 'Switches the strobe off.',
      section: '4.10',
      route: 'POST /api/controls/strobe/stop',
      firmware: '3.3',
      products: products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'strobe' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
