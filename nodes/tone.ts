import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'tone', () => {
    const { tone }: typeof import('../src/catalogue/tone') = require('../src/catalogue/tone');
    const {
      toneStopByName,
    }: typeof import('../src/runtime/message/tone-stop') = require('../src/runtime/message/tone-stop');
    const acceptedStatus = { 'upload-play': 'status.playsLater' };
    const { journalOf }: typeof import('../src/runtime/journal/shared-journal') =
      require('../src/runtime/journal/shared-journal');
    return { group: tone, hooks: { ...toneStopByName(journalOf(RED)), acceptedStatus } };
  });
