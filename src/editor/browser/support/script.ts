import { markDisabled } from './disabled-targets';
import { Marks } from './marks';

/** The script that the dialog of an action node or of a watching node loads when it opens. */
window.algoSupport = { Marks, markDisabled };
