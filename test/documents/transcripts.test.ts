import assert from 'node:assert/strict';
import { books } from '../contract';
import { breach, type Described, describedBy, type Schema } from './document';

describe('the OpenAPI document, held against the transcripts,', () => {
  const { request: _, ...named } = books;
  const accepted = Object.values(named)
    .flat()
    .flatMap(({ title, request, answer }) =>
      // The landing page is for people, and no part of the interface.
      request && request.line !== 'GET /' && (answer?.status ?? 400) < 300
        ? [{ title, request, answer }]
        : [],
    );
  const json = (one: Described, title: string, content = one.operation.requestBody?.content): Schema => {
    const schema = content?.['application/json']?.schema;
    assert.ok(schema, `${title}: ${one.operation.operationId} has no JSON there`);
    return schema;
  };

  it('describes every request that a device accepts', () => {
    assert.ok(accepted.length > 100);
    const found = accepted.map(({ title, request }) => [title, describedBy(request.line)] as const);
    assert.deepEqual(
      found.flatMap(([title, one]) => (one ? [] : title)),
      [],
    );
  });

  it('takes their bodies', () => {
    const wrong = accepted.flatMap(({ title, request }) => {
      const one = describedBy(request.line);
      if (!one || request.json === undefined) return [];
      const why = breach(json(one, title), request.json);
      return why ? `${title}: ${why}` : [];
    });
    assert.deepEqual(wrong, []);
    assert.ok(accepted.filter(({ request }) => request.json !== undefined).length > 80);
  });

  it('takes their answers', () => {
    const answered = accepted.filter(({ answer }) => answer?.json !== undefined);
    assert.ok(answered.length > 30);
    const wrong = answered.flatMap(({ title, request, answer }) => {
      const one = describedBy(request.line);
      const why = one && breach(json(one, title, one.operation.responses['200']?.content), answer?.json);
      return why ? `${title}: ${why}` : [];
    });
    assert.deepEqual(wrong, []);
  });
});
