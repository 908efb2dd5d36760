import { httpStatus } from '../choices';
import type { Core } from '../core';
import type { Answer } from '../wire/answer';

/** The page at `/`, which is open to all and names the product, on hardware too (docs/field-notes.md section 3). */
export function landingPage({ model }: Core): Answer {
  const page = `<!doctype html>
<html lang="en">
<head><title>Algo ${model.number}</title></head>
<body><h1>Algo ${model.number}</h1></body>
</html>
`;
  return {
    status: httpStatus.success,
    content: { type: 'text/html; charset=utf-8', data: Buffer.from(page) },
  };
}
