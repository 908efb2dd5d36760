import { palette } from '../catalogue';
import type { Operation } from '../catalogue/operation';
import { productsInWords } from './extensions';
import { table } from './markdown';

const head = ['Operation', 'What it does', 'Since firmware', 'Models', 'Safe to repeat', 'Urgent'];

/** Returns `docs/operations.md`: all operations by node. */
export function operationsPage(): string {
  const sections = palette.map(
    ({ resource, operations }) => `## algo-${resource}\n\n${table(head, operations.map(row))}\n`,
  );
  return `# Every operation

<!-- Written by \`npm run documents\` from the catalogue (\`src/catalogue\`); change it there. -->

What is *safe to repeat* may be sent again when it is not known whether it was done; anything else is not, since it
might happen twice. What is *urgent* waits neither behind other requests nor for the device's model and firmware.

${sections.join('\n')}`;
}

function row({ id, description, firmware, products, repeatable, urgent }: Operation): string[] {
  const yesNo = (is: boolean) => (is ? 'yes' : 'no');
  return [`\`${id}\``, description, firmware, productsInWords(products), yesNo(repeatable), yesNo(urgent)];
}
