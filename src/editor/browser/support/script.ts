import { markDisabled } from './disabled-targets';
import { Marks } from './marks';

const script = { Marks, markDisabled };

export type SupportScript = typeof script;

window.algoSupport = script;
