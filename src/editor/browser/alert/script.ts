import { ActionList } from './action-list';
import { AnnouncePreview } from './announce-preview';

window.algoAlert = { ActionList, AnnouncePreview };
