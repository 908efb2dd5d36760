import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { nodeRed } from '../../package.json';

const root = path.resolve(__dirname, '../../..');
