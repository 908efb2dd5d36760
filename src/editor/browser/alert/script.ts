import { ActionList } from './action-list';
import { AnnouncePreview } from './announce-preview';

const script = { ActionList, AnnouncePreview };

export type AlertScript = typeof script;

window.algoAlert = script;
