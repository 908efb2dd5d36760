import { markDisabled } from './disabled-targets';
import { Marks } from './marks';

/** A file of its own, which the dialog of an action or of a watching node loads when it opens. */
window.algoLacks = { Marks, markDisabled };
