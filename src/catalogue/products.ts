import type { ProductClass } from './operation';

/**
 * Which models each class word of the document means, as far as that is beyond doubt. A model may belong to
 * two classes. A model that is in none is never refused for its class: the device decides.
 */
export const productClasses = {
  speakers: ['8180', '8186', '8188', '8189', '8190', '8190S', '8196', '8197', '8198', '8199', '8410', '8420'],
  'paging adapters': ['8301', '8305', '8373', '8375'],
  intercoms: ['8028', '8039', '8201', '8203'],
  'visual alerters': ['8128', '8138'],
  displays: ['8410', '8420'],
  'door controllers': ['8063'],
  consoles: ['8450'],
} as const satisfies Record<ProductClass, readonly string[]>;

/** Models that the document names by number only. With those of the classes they are all it knows. */
export const otherModels = ['8300', '8312', '8507', '8516'] as const;
