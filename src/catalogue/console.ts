import type { OperationGroup, Products } from './operation';

const products = { models: ['8450'] } as const satisfies Products;

export const console = {
  resource: 'console',
  operations: [
    {
      id: 'activate',
      title: 'Press a button',
      description:
        'Presses a button of the console. If several buttons have the same identifier, the action button comes first, then the buttons of the screens.',
      section: '4.11',
      route: 'POST /api/controls/console/button/activate',
      firmware: '5.6',
      products: products,
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'console' },
      answer: 'none',
      fields: {
        id: {
          type: 'string',
          title: 'Button',
          description: 'Identifier of the button, as it is configured on the console.',
          minLength: 1,
          pick: 'button',
        },
      },
      required: ['id'],
    },
    {
      id: 'stop',
      title: 'Stop events',
      description: 'Stops the active events of a type. The answer says how many.',
      section: '4.11',
      route: 'POST /api/controls/console/event/stop',
      firmware: '5.6',
      products: products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'console', when: { type: ['all'] } },
      isStop: true,
      answer: 'text',
      fields: {
        type: {
          type: 'string',
          title: 'Type',
          description: 'Events to stop.',
          enum: ['all', 'emergency', 'nonEmergency', 'call', 'pageMic', 'pageTone'],
        },
      },
      required: ['type'],
    },
    {
      id: 'status',
      title: 'Active events',
      description: 'Reads which events are active.',
      section: '4.11',
      route: 'GET /api/console/event/status',
      firmware: '5.6',
      products: products,
      repeatable: true,
      urgent: false,
      answer: 'json',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
