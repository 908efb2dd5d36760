import { Marks } from './marks';

/** A file of its own, which the dialog of an action loads when it opens. */
window.algoLacks = { Marks };
