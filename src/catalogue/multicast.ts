import type { Field, Fields, Rule } from './operation';
import type { Phrase } from './phrases';

export const multicastFields = {
  mode: {
    type: 'string',
    title: 'Multicast mode',
    description: 'The only mode is sender.',
    enum: ['sender'],
  },
  address: {
    type: 'string',
    title: 'Multicast address',
    description: 'Address of the multicast zone.',
    minLength: 1,
    examples: ['224.0.2.60'],
  },
  port: {
    type: 'string',
    title: 'Multicast port',
    description: 'Port of the multicast zone.',
    format: 'port',
    examples: ['50002'],
  },
  type: {
    type: 'string',
    title: 'Multicast type',
    description: 'Plain RTP, or Polycom group paging.',
    enum: ['poly', 'rtp'],
  },
  group: {
    type: 'integer',
    title: 'Poly group',
    description: 'Polycom group. Only with the multicast type poly.',
    minimum: 1,
    maximum: 25,
  },
} as const satisfies Fields;

export const groupNeedsPoly = {
  when: { required: ['group'] },
  must: {
    required: ['type'],
    properties: { type: { enum: ['poly'], because: 'groupGiven' satisfies Phrase } },
    because: 'groupGiven' satisfies Phrase,
  },
} as const satisfies Rule;

export const mcast = {
  type: 'boolean',
  title: 'Multicast',
  description: 'Sends the sound by multicast too. Multicast must be on in the device.',
} as const satisfies Field;

export const playback = {
  type: 'string',
  title: 'Play locally',
  description:
    'With Multicast (mcast): true plays the sound on this device as well, false only on the devices that receive the multicast.',
  enum: ['true', 'false'],
} as const satisfies Field;

export const state = {
  type: 'object',
  title: 'Multicast settings',
  description: 'Destination of the multicast, for this call only. Used when Multicast (mcast) is true.',
  with: 'mcast',
  properties: multicastFields,
  rules: [groupNeedsPoly],
} as const satisfies Field;
