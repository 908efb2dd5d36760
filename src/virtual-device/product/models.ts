/**
 * The product classes that the interface document names and whose meaning is certain (docs/readings.md,
 * "Models and firmware").
 */
export type ProductClass =
  | 'speaker'
  | 'paging adapter'
  | 'intercom'
  | 'visual alerter'
  | 'display'
  | 'door controller'
  | 'console';

export interface Model {
  /** Product number without "G2". */
  readonly number: string;
  /** The value of `Product Name` in the about record. */
  readonly productName: string;
  /** The classes of the model; empty if the interface document does not tell the class. */
  readonly classes: readonly ProductClass[];
}

export const models: readonly Model[] = [
  model('8028', '8028G2 IP Doorphone', 'intercom'),
  model('8039', '8039 IP Mullion Video Intercom', 'intercom'),
  model('8063', '8063 IP Door Controller', 'door controller'),
  model('8128', '8128G2 IP Visual Alerter', 'visual alerter'),
  model('8138', '8138 IP Color Visual Alerter', 'visual alerter'),
  model('8180', '8180G2 IP Audio Alerter', 'speaker'),
  model('8186', '8186 SIP Horn Speaker', 'speaker'),
  model('8188', '8188 SIP Ceiling Speaker', 'speaker'),
  model('8189', '8189 SIP Surface Mount Speaker', 'speaker'),
  model('8190', '8190 IP Speaker - Clock', 'speaker'),
  model('8190S', '8190S IP Speaker - Clock & Visual Alerter', 'speaker'),
  model('8196', '8196 IP Horn Speaker', 'speaker'),
  model('8197', '8197 IP Speaker', 'speaker'),
  model('8198', '8198 IP Ceiling Speaker', 'speaker'),
  model('8199', '8199 IP Surface Mount Speaker', 'speaker'),
  model('8201', '8201 IP Intercom', 'intercom'),
  model('8203', '8203 IP Intercom', 'intercom'),
  model('8300', '8300 IP Controller'),
  model('8301', '8301 IP Paging Adapter & Scheduler', 'paging adapter'),
  model('8305', '8305 Multi-Interface IP Paging Adapter', 'paging adapter'),
  model('8312', '8312 IP Audio Alerter'),
  model('8373', '8373 IP Zone Paging Adapter', 'paging adapter'),
  model('8375', '8375 IP Zone Paging Adapter', 'paging adapter'),
  model('8410', '8410 IP Display Speaker', 'speaker', 'display'),
  model('8420', '8420 IP Dual-Sided Display Speaker', 'speaker', 'display'),
  model('8450', '8450 IP Console', 'console'),
  model('8507', '8507 IP Speaker'),
  model('8516', '8516 IP Speaker'),
];

function model(number: string, productName: string, ...classes: ProductClass[]): Model {
  return { number, productName: `Algo ${productName}`, classes };
}

/**
 * Finds a model in the spellings of users and of the interface document: `8301`, `8180g2`, `8128(G2)`,
 * `8190s`.
 */
export function findModel(written: string): Model | undefined {
  const number = written
    .trim()
    .toUpperCase()
    .replace(/\(?G2\)?$/, '');
  return models.find((candidate) => candidate.number === number);
}

export type Products = (model: Model) => boolean;

export const all: Products = () => true;

export function allExcept(...numbers: readonly string[]): Products {
  return (candidate) => !numbers.includes(candidate.number);
}

export function only(...numbers: readonly string[]): Products {
  return (candidate) => numbers.includes(candidate.number);
}

/**
 * Returns a test for the models of these classes and these numbers. A model whose class is uncertain passes
 * as well (docs/readings.md).
 */
export function classes(words: readonly ProductClass[], ...numbers: readonly string[]): Products {
  return (candidate) =>
    candidate.classes.length === 0 ||
    candidate.classes.some((word) => words.includes(word)) ||
    numbers.includes(candidate.number);
}
