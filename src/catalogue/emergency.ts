import type { OperationGroup, Products } from './operation';

const products = {
  classes: ['speakers', 'paging adapters', 'visual alerters', 'displays'],
} as const satisfies Products;

export const emergency = {
  resource: 'emergency',
  operations: [
    {
      id: 'start',
      title: 'Start a device alert',
      description: 'Plays an emergency announcement until it is stopped.',
      section: '4.12',
      route: 'POST /api/controls/emergency-alert/start',
      firmware: '5.7',
      products: products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'emergency' },
      autoStop: { by: 'stop' },
      answer: 'none',
      fields: {
        announcement: {
          type: 'integer',
          title: 'Announcement',
          description:
            'Number of the announcement, under Additional Features, Emergency Alerts in the web interface of the device.',
          minimum: 1,
          maximum: 10,
          pick: 'number',
          examples: [1],
        },
      },
      required: ['announcement'],
    },
    {
      id: 'stop',
      title: 'Stop the device alert',
      description: 'Stops the emergency announcement.',
      section: '4.12',
      route: 'POST /api/controls/emergency-alert/stop',
      firmware: '5.7',
      products: products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'emergency' },
      isStop: true,
      answer: 'none',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
