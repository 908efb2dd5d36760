import { Journal } from '../../src/runtime/journal/journal';

/*
Loaded before Node-RED (`--require`): whoever waits for the disk waits as long as it takes. Else a start goes out after
a second (docs/contract.md 2.5), and on a slow disk a kill right then leaves on what no journal knows of.
*/

const never = () => () => {};
for (const name of ['open', 'create'] as const) {
  const usual = Journal[name].bind(Journal);
  Journal[name] = (directory, options) => usual(directory, { ...options, after: never });
}
