import type { NodeAPI } from 'node-red';
import { tone } from '../src/catalogue/tone';
import { registerActionNode } from '../src/runtime/action/node';
import { toneStopByName } from '../src/runtime/action/tone-stop';

export = (RED: NodeAPI): void => {
  const acceptedStatus = { 'upload-play': 'status.playsLater' };
  registerActionNode(RED, tone, { ...toneStopByName(), acceptedStatus });
};
