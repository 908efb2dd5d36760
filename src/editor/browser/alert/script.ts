import { ActionList } from './action-list';

window.algoAlert = { ActionList };
