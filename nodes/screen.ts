import type { NodeAPI } from 'node-red';
import { screen } from '../src/catalogue/screen';
import { registerActionNode } from '../src/runtime/action/node';
import { strobesByName } from '../src/runtime/action/strobe-names';

export = (RED: NodeAPI): void => registerActionNode(RED, screen, strobesByName());
