import type { Editor } from './editor';
import { sourced } from './every-form';
import { flow, visit } from './every-visit';
import { editorSession } from './session';

describe('every dialog', function () {
  this.timeout(240_000);
  let editor: Editor;
  editorSession(flow, (opened) => {
    editor = opened;
  });

  for (const noun of new Set(sourced.map(({ node }) => node.type))) {
    it(`of ${noun} leaves what comes from elsewhere, and what it does not know`, async () => {
      for (const one of sourced.filter(({ node }) => node.type === noun)) await visit(editor, one);
    });
  }
});
