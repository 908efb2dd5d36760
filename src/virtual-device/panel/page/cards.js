import { consoleCard } from './console-card.js';
import { door, inputs, output } from './door-cards.js';
import { schedule } from './schedule-card.js';
import { screen, strobe } from './sight-cards.js';
import { call, emergency, streams, tone } from './sound-cards.js';

export const everyCard = [
  strobe,
  screen,
  consoleCard,
  emergency,
  door('local'),
  door('netdc1'),
  output('relay', '/relay/', 'end of relay'),
  output('aux24v', '/24v/', ''),
  tone,
  call,
  streams,
  inputs,
  schedule,
];
