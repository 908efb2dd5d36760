import { palette } from '../catalogue';
import type { Operation } from '../catalogue/operation';
import { productsInWords } from './extensions';
import { table } from './markdown';

const head = ['Operation', 'Function', 'Since firmware', 'Models', 'Safe to repeat', 'Urgent'];

export function operationsPage(): string {
  const sections = palette.map(
    ({ resource, operations }) => `## algo-${resource}\n\n${table(head, operations.map(row))}\n`,
  );
  return `# Every operation

<!-- Written by \`npm run documents\` from the catalogue (\`src/catalogue\`); change it there. -->

Operations that are *safe to repeat* can be sent again when their outcome is unknown. Node-RED never sends the others
again if the device might have carried them out; [one stop](retries-and-delivery.md#idempotent-operations-safe-to-repeat) is an exception. *Urgent* operations jump the queue and are sent without first looking up the model and firmware.

${sections.join('\n')}`;
}

function row({ id, description, firmware, products, repeatable, urgent }: Operation): string[] {
  const yesNo = (is: boolean) => (is ? 'yes' : 'no');
  return [`\`${id}\``, description, firmware, productsInWords(products), yesNo(repeatable), yesNo(urgent)];
}
