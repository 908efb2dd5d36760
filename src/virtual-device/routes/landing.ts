import { httpStatus } from '../choices';
import type { Core } from '../core';
import type { Answer } from '../wire/answer';

/**
 * The page at `/`, which is open to all and names the product, on hardware too (docs/field-notes.md section 3). This
 * one also says where the panel is, for a person who opened the address to see something.
 */
export function landingPage({ model, panel }: Core): Answer {
  const address = panel();
  const link =
    address === undefined ? '' : `\n<p><a href="${address}">Open its panel</a>, which shows what it does</p>`;
  const page = `<!doctype html>
<html lang="en">
<head><title>Algo ${model.number}</title></head>
<body>
<h1>Algo ${model.number}</h1>
<p>A virtual device. At this address it has its interface, for programs.</p>${link}
</body>
</html>
`;
  return {
    status: httpStatus.success,
    content: { type: 'text/html; charset=utf-8', data: Buffer.from(page) },
  };
}
