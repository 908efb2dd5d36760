import type { NodeAPI } from 'node-red';
import { registerActionNode } from '../src/runtime/register';

export = (RED: NodeAPI): void =>
  registerActionNode(RED, 'settings', () => {
    const {
      profiledSettings,
    }: typeof import('../src/catalogue/profiles') = require('../src/catalogue/profiles');
    const {
      profileHooks,
    }: typeof import('../src/runtime/settings/profiles') = require('../src/runtime/settings/profiles');
    return { group: profiledSettings, hooks: profileHooks() };
  });
