import type { OperationGroup } from './operation';

/** Section 4.1: what the device says about itself. */
export const info = {
  noun: 'info',
  operations: [
    {
      id: 'about',
      title: 'Identity',
      description: 'Reads product name, firmware version, MAC address, hardware and certificate (2.4).',
      section: '4.1',
      route: 'GET /api/info/about',
      firmware: '5.4',
      products: 'all',
      repeatable: true,
      urgent: false,
      answer: 'json',
      fields: {},
      required: [],
    },
  ],
} as const satisfies OperationGroup;
