import type { Field, OperationGroup, Products } from './operation';

const products = { models: ['8039', '8028', '8201', '8063'] } as const satisfies Products;

const doorid = {
  type: 'string',
  title: 'Door',
  description:
    'The door. local: the door on the relay of the device itself. netdc1: the door of an 8063 that serves this intercom as its remote network door controller; for intercoms only.',
  enum: ['netdc1', 'local'],
  valueModels: { local: products.models, netdc1: ['8039', '8028', '8201'] },
} as const satisfies Field;

export const door = {
  resource: 'door',
  operations: [
    {
      id: 'lock',
      title: 'Lock',
      description: 'Locks the door.',
      section: '4.4',
      route: 'POST /api/controls/door/lock',
      firmware: '3.3',
      products,
      repeatable: true,
      urgent: true,
      deviceOutput: { name: 'door', by: 'doorid' },
      isStop: true,
      answer: 'none',
      fields: { doorid },
      required: ['doorid'],
    },
    {
      id: 'unlock',
      title: 'Unlock and hold',
      description: 'Unlocks the door. The door stays unlocked until a command locks the door.',
      section: '4.4',
      route: 'POST /api/controls/door/unlock',
      firmware: '3.3',
      products,
      repeatable: true,
      urgent: false,
      deviceOutput: { name: 'door', by: 'doorid' },
      autoStop: { by: 'lock', takes: ['doorid'] },
      answer: 'none',
      fields: { doorid },
      required: ['doorid'],
    },
    {
      id: 'munlock',
      title: 'Unlock momentarily',
      description: 'Unlocks the door for the given time. The device locks the door again by itself.',
      section: '4.4',
      route: 'POST /api/controls/door/munlock',
      firmware: '5.5',
      products,
      repeatable: false,
      urgent: false,
      deviceOutput: { name: 'door', by: 'doorid' },
      answer: 'none',
      fields: {
        doorid,
        duration: {
          type: 'string',
          title: 'Duration',
          description: 'Time that the door stays unlocked. The API does not document the effect of 0.',
          format: 'seconds',
          unit: 's',
          examples: ['5'],
        },
      },
      required: ['doorid', 'duration'],
    },
  ],
} as const satisfies OperationGroup;
