import assert from 'node:assert/strict';
import { sendingStatus } from '../../src/runtime/node-status';

const translate = (_key: string, { operation = '' }: Record<string, string> = {}) => `${operation}…`;

describe('the status under a node', () => {
  it('names the operation in fewer than 20 characters, whatever a message calls it', () => {
    assert.equal(sendingStatus(translate, 'munlock').text, 'munlock…');
    assert.equal(sendingStatus(translate, 'a-very-long-operation-id').text, 'a-very-long-operat…');
  });
});
