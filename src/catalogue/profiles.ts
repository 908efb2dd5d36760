import type { OperationGroup } from './operation';
import { namesAndValues, settings } from './settings';

/** Maximum number of settings of a profile. */
export const maxNames = 500;

/** Settings of many names in one operation: each name is read on its own. */
const profiles = {
  section: '4.1',
  firmware: '3.3',
  products: 'all',
  urgent: false,
  answer: 'json',
} as const;

const operations = [
  {
    ...profiles,
    ...namesAndValues,
    id: 'compare',
    title: 'Compare settings',
    description: 'Reads the settings of a profile and reports which ones differ. Changes nothing.',
    route: 'GET /api/settings/{name}',
    composedOf: ['settings/get'],
    repeatable: true,
  },
  {
    ...profiles,
    ...namesAndValues,
    id: 'apply',
    title: 'Apply settings',
    description:
      'Reads the settings of a profile, writes those that differ in one request, and reads them again.',
    route: 'PUT /api/settings',
    composedOf: ['settings/get', 'settings/put'],
    repeatable: true,
    options: ['reloadAfter'],
  },
  {
    ...profiles,
    ...namesAndValues,
    id: 'backup',
    title: 'Back up settings',
    description: 'Reads settings as names and values, which can be applied later. Leaves out passwords.',
    route: 'GET /api/settings/{name}',
    composedOf: ['settings/get'],
    repeatable: true,
    fields: {
      names: {
        type: 'array',
        title: 'Names',
        description: 'Names of the settings, instead of names with values.',
        items: { type: 'string', title: 'Name', description: 'Name of a setting.', format: 'setting-name' },
        maxItems: maxNames,
      },
    },
    rules: [{ must: { properties: { names: { minItems: 1 } } } }],
  },
] as const satisfies OperationGroup['operations'];

/** The settings node: the operations of the device, and those on profiles, which are made of them. */
export const profiledSettings = {
  resource: settings.resource,
  operations: [...settings.operations, ...operations],
} as const satisfies OperationGroup;
