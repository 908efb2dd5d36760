import { markDisabled } from './disabled-targets';
import { Marks } from './marks';

window.algoSupport = { Marks, markDisabled };
