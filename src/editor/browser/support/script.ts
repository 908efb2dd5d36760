import { markDisabled } from './disabled-targets';
import { Marks } from './marks';

/**
 * Start of the script that the dialog of an action node or of a watching node loads when the dialog opens.
 */
window.algoSupport = { Marks, markDisabled };
