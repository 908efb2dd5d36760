import { ActionList } from './action-list';

/** A file of its own, which the dialog of an alert loads when it opens. */
window.algoAlert = { ActionList };
