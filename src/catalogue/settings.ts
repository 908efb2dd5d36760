import type { Operation, OperationGroup } from './operation';

/** Names of settings with their values. */
export const namesAndValues = {
  others: {
    name: 'setting-name',
    pick: 'setting',
    value: {
      type: 'setting',
      title: 'Value',
      description: 'New value of the setting. Write on and off as 1 and 0.',
      examples: ['-12dB', '1'],
    },
  },
  atLeast: 1,
  fields: {},
  required: [],
} as const satisfies Partial<Operation>;

export const settings = {
  resource: 'settings',
  operations: [
    {
      id: 'get',
      title: 'Read a setting',
      description: 'Reads one setting of the device.',
      section: '4.1',
      route: 'GET /api/settings/{name}',
      firmware: '3.3',
      products: 'all',
      repeatable: true,
      urgent: false,
      answer: 'json',
      fields: {
        name: {
          type: 'string',
          title: 'Setting',
          description: "Name of the setting, as in the device's provisioning reference.",
          format: 'setting-name',
          pick: 'setting',
          examples: ['audio.page.vol'],
        },
      },
      required: ['name'],
    },
    {
      id: 'put',
      title: 'Write settings',
      description:
        'Writes one or more settings, which stay over a reboot. Some take effect only after a reload.',
      section: '4.1',
      route: 'PUT /api/settings',
      firmware: '3.3',
      products: 'all',
      repeatable: true,
      urgent: false,
      answer: 'none',
      confirm: { by: 'settings/get', compare: 'each' },
      options: ['confirmWrite', 'reloadAfter'],
      ...namesAndValues,
    },
    {
      id: 'restore',
      title: 'Restore factory defaults',
      description:
        'Sets everything back to the factory defaults. The RESTful API is off afterwards, so nothing can be sent until a person switches it on again.',
      section: '4.2',
      route: 'POST /api/settings/action/restore',
      firmware: '5.4',
      products: 'all',
      repeatable: false,
      urgent: false,
      answer: 'json',
      options: ['waitUntilBack'],
      fields: {
        confirm: {
          type: 'boolean',
          title: 'Confirm restore',
          description: 'Must be true, so that no message restores a device by mistake. It is not sent.',
          enum: [true],
          sent: false,
        },
      },
      required: ['confirm'],
    },
  ],
} as const satisfies OperationGroup;
