import { ActionList } from './action-list';

/** Start of the script that the dialog of an alert loads when the dialog opens. */
window.algoAlert = { ActionList };
