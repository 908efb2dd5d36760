import { ActionList } from './action-list';

/** The script that the dialog of an alert loads when it opens. */
window.algoAlert = { ActionList };
